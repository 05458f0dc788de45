package io.latchkey.scheduler;

import io.latchkey.conf.Durations;
import io.latchkey.lifecycle.Threads;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deadlines of all runs in this process, on one thread. A run that is past its own is interrupted. One that goes on all
 * the same is interrupted and told of again, less and less often: it keeps its thread, and its job stays blocked if it may
 * not overlap, for nobody can say that it has ended. Safe for use by many threads.
 */
final class Deadlines {
    private static final Logger log = LoggerFactory.getLogger(Deadlines.class);
    private static final Duration REMINDER = Duration.ofSeconds(30);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final Threads threads;
    private final ScheduledExecutorService thread;
    private final Duration reminder;

    Deadlines(Threads threads) {
        this(threads, REMINDER);
    }

    /** @param reminder how long a run may go on past its deadline before it is told of again; doubles each time */
    Deadlines(Threads threads, Duration reminder) {
        this.threads = threads;
        this.thread = threads.scheduled("deadlines");
        this.reminder = reminder;
    }

    /** Interrupts {@code flight} after {@code timeout}, unless the watch is cancelled before. */
    Watch watch(Flight flight, Duration timeout) {
        Watch watch = new Watch(flight, timeout);
        watch.in(timeout);
        return watch;
    }

    /** Interrupts a thread once, unless cancelled before. */
    ScheduledFuture<?> interruptAfter(Duration limit, Thread busy) {
        return thread.schedule(busy::interrupt, limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** One run's deadline. */
    final class Watch implements Runnable {
        private final Flight flight;
        private final Duration timeout;
        private final long from = System.nanoTime();
        private Duration pause;
        private boolean past;
        private boolean cancelled;
        private @Nullable ScheduledFuture<?> next;

        private Watch(Flight flight, Duration timeout) {
            this.flight = flight;
            this.timeout = timeout;
            this.pause = reminder;
        }

        private synchronized void in(Duration delay) {
            if (!cancelled) {
                next = thread.schedule(this, delay.toNanos(), TimeUnit.NANOSECONDS);
            }
        }

        /** How long until the deadline; zero when it is past. */
        Duration remaining() {
            Duration left = timeout.minusNanos(System.nanoTime() - from);
            return left.isNegative() ? Duration.ZERO : left;
        }

        /** The run has ended. */
        synchronized void cancel() {
            cancelled = true;
            if (next != null) {
                next.cancel(false);
            }
        }

        private synchronized boolean isCancelled() {
            return cancelled;
        }

        @Override
        public void run() {
            if (isCancelled()) {
                return;
            }
            if (past) {
                log.warn(
                        "Job {} runs on, {} after it was interrupted because its time was up ({}). It keeps its thread"
                                + " until it ends; let it end when its thread is interrupted, or stop this instance",
                        flight.job(),
                        Durations.format(Duration.ofMillis((System.nanoTime() - from - timeout.toNanos()) / 1_000_000)),
                        flight.id());
                pause = pause.compareTo(LONGEST) < 0 ? pause.multipliedBy(2) : LONGEST;
            }
            past = true;
            // A job's own way of being interrupted is its author's code: it must not hold up other deadlines.
            Thread interrupter = threads.start("deadline-" + flight.id(), () -> flight.timeOut(timeout));
            log.debug("{} interrupts {}", interrupter.getName(), flight.id());
            in(pause);
        }
    }
}
