package io.latchkey.lifecycle;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one place that makes threads. Each has a name and hands what nobody caught to {@link Faults}. All are daemons, so
 * that one that hangs cannot keep the process from ending; what keeps it up is the main thread.
 *
 * <p>Safe for use by any number of threads.
 */
public final class Threads {
    private static final Logger log = LoggerFactory.getLogger(Threads.class);

    private final Faults faults;

    public Threads(Faults faults) {
        this.faults = faults;
    }

    /** Where the threads made here take what nobody caught. */
    public Faults faults() {
        return faults;
    }

    /** A factory whose first thread is called {@code name}, the next ones {@code name-2} and so on. */
    public ThreadFactory factory(String name) {
        AtomicInteger made = new AtomicInteger();
        return task -> {
            int number = made.incrementAndGet();
            return make(number == 1 ? name : name + "-" + number, task);
        };
    }

    /**
     * One thread that runs tasks in the order given. A task that throws is logged as an error and the next one runs; the
     * future of a submitted one fails as usual besides.
     */
    public ExecutorService single(String name) {
        return new GuardedExecutor(name, factory(name), faults);
    }

    /** One thread for delayed and periodic tasks. A periodic task that throws is logged and runs again at its next time. */
    public ScheduledExecutorService scheduled(String name) {
        return new GuardedScheduler(name, factory(name), faults);
    }

    /** Makes and starts a thread. */
    public Thread start(String name, Runnable task) {
        Thread thread = make(name, task);
        thread.start();
        return thread;
    }

    /**
     * Stops an executor: no new tasks, what is queued runs for at most {@code patience}, then the thread is interrupted.
     *
     * @return whether it came to an end; if not, that is logged
     */
    public static boolean stop(String what, ExecutorService executor, Duration patience) {
        executor.shutdown();
        try {
            if (executor.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                return true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log.debug("Interrupted while stopping {}", what, e);
        }
        int dropped = executor.shutdownNow().size();
        log.warn(
                "{} did not end within {} ms; interrupted it, {} waiting tasks are dropped",
                what,
                patience.toMillis(),
                dropped);
        return false;
    }

    private Thread make(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(faults);
        return thread;
    }
}
