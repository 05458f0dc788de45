package io.latchkey.jobs.http;

import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Takes a body of any length: keeps its end, and stops reading after so many bytes. Called by the client's threads, in turn. */
final class TailSubscriber implements BodySubscriber<TailSubscriber.Tail> {
    /** What is read of a body. */
    static final int MAX_READ = 1024 * 1024;
    /** What is kept of it. */
    static final int KEPT = 64 * 1024;

    /** @param complete false if there was more */
    @SuppressWarnings("ArrayRecordComponent") // handed on once
    record Tail(byte[] bytes, boolean complete) {}

    private final CompletableFuture<Tail> result = new CompletableFuture<>();
    private final byte[] ring = new byte[KEPT];
    private long read;
    private Flow.@Nullable Subscription subscription;

    @Override
    public CompletionStage<Tail> getBody() {
        return result;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        subscription = given;
        given.request(1);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            while (buffer.hasRemaining()) {
                int at = (int) (read % KEPT);
                int length = Math.min(buffer.remaining(), KEPT - at);
                buffer.get(ring, at, length);
                read += length;
            }
        }
        Flow.Subscription source = subscription;
        if (source == null) {
            return;
        }
        if (read >= MAX_READ) {
            source.cancel();
            result.complete(tail(false));
        } else {
            source.request(1);
        }
    }

    @Override
    public void onError(Throwable failure) {
        result.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        result.complete(tail(true));
    }

    private Tail tail(boolean complete) {
        int length = (int) Math.min(read, KEPT);
        byte[] bytes = new byte[length];
        int from = read <= KEPT ? 0 : (int) (read % KEPT);
        for (int i = 0; i < length; i++) {
            bytes[i] = ring[(from + i) % KEPT];
        }
        return new Tail(bytes, complete);
    }
}
