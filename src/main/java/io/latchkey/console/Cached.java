package io.latchkey.console;

import io.latchkey.election.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something read from ZooKeeper when it is asked for, at most once a second however many ask, by one read at a time. Who
 * asks waits a moment for a read that is under way; if that takes too long, or fails, the last value is the answer, and
 * says that it is stale. Safe for use by many threads; nothing here blocks but the reader, on the executor.
 */
final class Cached<T> {
    /** A value this young is not read again. */
    static final Duration FRESH = Duration.ofSeconds(1);

    private static final Logger log = LoggerFactory.getLogger(Cached.class);
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    /** Where there is nothing yet to answer with instead. */
    private static final Duration FIRST_PATIENCE = Duration.ofSeconds(10);
    /** Of the time, at most this part is spent on reading. */
    private static final int REST = 4;

    /** Where the value comes from. */
    @FunctionalInterface
    interface Reader<T> {
        /** Reads it; blocks. */
        T read() throws Exception;
    }

    /** Neither a value nor, in time, an answer. */
    static final class NothingYetException extends Exception {
        private static final long serialVersionUID = 1L;

        NothingYetException(String why) {
            super(why);
        }
    }

    private final String what;
    private final Reader<T> reader;
    private final Executor executor;
    private final ScheduledExecutorService timer;
    private final Time time;

    private @Nullable T value;
    private Instant asOf = Instant.EPOCH;
    private long readNanos;
    private long endedNanos;
    private long tookNanos;
    private boolean tried;
    private String trouble = "";
    private @Nullable CompletableFuture<Void> underWay;

    /**
     * @param what its name, for the log
     * @param executor where it is read, blocking
     * @param timer for the end of patience; not blocked
     */
    Cached(String what, Reader<T> reader, Executor executor, ScheduledExecutorService timer, Time time) {
        this.what = what;
        this.reader = reader;
        this.executor = executor;
        this.timer = timer;
        this.time = time;
    }

    /** What was read last, however old; empty before the first. */
    synchronized Optional<Seen<T>> last() {
        T known = value;
        if (known == null) {
            return Optional.empty();
        }
        long age = TimeUnit.NANOSECONDS.toMillis(time.nanoTime() - readNanos);
        boolean slow = underWay != null && age > FRESH.plus(PATIENCE).toMillis();
        String why = !trouble.isEmpty() ? trouble : slow ? "ZooKeeper has not answered yet" : "";
        return Optional.of(new Seen<>(known, asOf, age, !why.isEmpty(), why));
    }

    /**
     * The value, read anew if it is old. Completes within about a second, the first within ten; fails with {@link NothingYetException} if there
     * is none.
     */
    CompletableFuture<Seen<T>> get() {
        CompletableFuture<Seen<T>> out = new CompletableFuture<>();
        CompletableFuture<Void> reading = refresh();
        if (reading == null) {
            answer(out);
            return out;
        }
        var patience = timer.schedule(() -> answer(out), patience().toMillis(), TimeUnit.MILLISECONDS);
        var unused = reading.whenComplete((nothing, failure) -> {
            patience.cancel(false);
            answer(out);
        });
        return out;
    }

    private synchronized Duration patience() {
        return value == null ? FIRST_PATIENCE : PATIENCE;
    }

    private void answer(CompletableFuture<Seen<T>> out) {
        Optional<Seen<T>> seen = last();
        if (seen.isPresent()) {
            out.complete(seen.get());
        } else {
            out.completeExceptionally(new NothingYetException(why()));
        }
    }

    private synchronized String why() {
        return trouble.isEmpty() ? "ZooKeeper has not answered yet" : trouble;
    }

    /** Sees to it that a read is under way if one is due: what to wait for, or null if there is nothing to wait for. */
    private synchronized @Nullable CompletableFuture<Void> refresh() {
        long now = time.nanoTime();
        if (underWay != null) {
            return underWay;
        }
        if (tried && now - endedNanos < Math.max(FRESH.toNanos(), REST * tookNanos)) {
            return null;
        }
        CompletableFuture<Void> reading = new CompletableFuture<>();
        underWay = reading;
        try {
            executor.execute(() -> read(reading));
        } catch (RejectedExecutionException e) {
            log.debug("Closed: {} is not read any more", what, e);
            underWay = null;
            return null;
        }
        return reading;
    }

    // Whatever a reader throws, the last value is what there is, and the next one who asks tries again.
    private void read(CompletableFuture<Void> reading) {
        long from = time.nanoTime();
        Instant now = time.now();
        @Nullable T found = null;
        String failure = "";
        try {
            found = reader.read();
        } catch (Exception e) {
            failure = String.valueOf(e.getMessage());
            log.debug("{} cannot be read", what, e);
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
        } finally {
            ended(found, now, from, failure);
            reading.complete(null);
        }
    }

    private synchronized void ended(@Nullable T found, Instant now, long from, String failure) {
        underWay = null;
        tried = true;
        endedNanos = time.nanoTime();
        tookNanos = endedNanos - from;
        if (found != null) {
            value = found;
            asOf = now;
            readNanos = from;
            if (!trouble.isEmpty()) {
                log.info("{} can be read again", what);
            }
        } else if (trouble.isEmpty()) {
            log.info("{} cannot be read now; who asks gets what was read before: {}", what, failure);
        }
        trouble = found != null ? "" : failure.isEmpty() ? "it cannot be read" : failure;
    }
}
