package io.latchkey.zookeeper;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Many reads with a bounded number under way, so that a long list fills neither the client's queue nor the server's. */
final class PipelinedReads<T> {
    static final int WINDOW = 128;

    private final List<String> paths;
    private final Function<String, CompletableFuture<ReadResult<T>>> reader;
    private final AtomicReferenceArray<ReadResult<T>> results;
    private final CompletableFuture<List<ReadResult<T>>> done = new CompletableFuture<>();
    private final AtomicInteger pumping = new AtomicInteger();
    private final AtomicInteger answered = new AtomicInteger();

    /** Touched by whoever pumps, which is one thread at a time. */
    private int sent;

    PipelinedReads(List<String> paths, Function<String, CompletableFuture<ReadResult<T>>> reader) {
        this.paths = List.copyOf(paths);
        this.reader = reader;
        this.results = new AtomicReferenceArray<>(this.paths.size());
    }

    CompletableFuture<List<ReadResult<T>>> start() {
        pump();
        return done;
    }

    /** A loop rather than recursion: on a closed session every read answers at once, in the caller's stack. */
    private void pump() {
        if (pumping.getAndIncrement() > 0) {
            return;
        }
        int seen = 1;
        do {
            while (sent < paths.size() && sent - answered.get() < WINDOW) {
                send(sent++);
            }
            if (answered.get() == paths.size()) {
                done.complete(
                        IntStream.range(0, paths.size()).mapToObj(results::get).toList());
            }
            seen = pumping.addAndGet(-seen);
        } while (seen > 0);
    }

    private void send(int index) {
        CompletableFuture<?> unused = reader.apply(paths.get(index)).whenComplete((result, failure) -> {
            if (failure != null) {
                done.completeExceptionally(failure);
            } else {
                results.set(index, result);
                answered.incrementAndGet();
                pump();
            }
        });
    }
}
