package io.latchkey.cli;

import io.latchkey.lifecycle.ExitCode;
import io.latchkey.lifecycle.Faults;
import io.latchkey.lifecycle.Threads;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns SIGTERM, SIGINT and SIGHUP into an ordered handover that ends with exit code 0. A plain shutdown hook would exit
 * with 143; this one halts the process when all is done.
 */
final class OrderedStop {
    private static final Logger log = LoggerFactory.getLogger(OrderedStop.class);

    /** Beyond the drain timeout: interrupting what is left, recording it, closing the session. */
    static final Duration MARGIN = Duration.ofSeconds(30);

    private final Thread main = Thread.currentThread();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicReference<InstanceStarter.@Nullable Instance> instance = new AtomicReference<>();
    private final Threads threads = new Threads(new Faults());
    private final Duration bound;
    private final Thread hook;

    private OrderedStop(Duration drainTimeout) {
        bound = drainTimeout.plus(MARGIN);
        hook = threads.factory("stop").newThread(this::stop);
    }

    /** Installs the hook; the calling thread is the one that starts the instance. */
    static OrderedStop install(Duration drainTimeout) {
        OrderedStop stop = new OrderedStop(drainTimeout);
        Runtime.getRuntime().addShutdownHook(stop.hook);
        return stop;
    }

    void started(InstanceStarter.Instance running) {
        instance.set(running);
    }

    /** Stops the process when the stream ends: when the process at its other end is gone, however it went. */
    void whenInputEnds(InputStream in) {
        threads.start("parent-watch", () -> {
            ParentWatch.awaitEnd(in);
            log.info("The process that started this instance is gone or asks it to stop");
            System.exit(ExitCode.OK.code());
        });
    }

    /** Removes the hook after the instance has ended by itself or failed to start, so that its exit code stands. */
    void uninstall() {
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The hook runs, and ends the process.
            log.debug("Already stopping", e);
            await(new CountDownLatch(1));
        }
    }

    private void stop() {
        log.info(
                instance.get() == null
                        ? "Stopping; this instance has not joined yet, so there is nothing to hand over"
                        : "Stopping: handing the lead over if it is here, then waiting for running jobs");
        CountDownLatch closed = new CountDownLatch(1);
        threads.start("stop-instance", () -> {
            InstanceStarter.Instance running = instance.get();
            if (running != null) {
                running.close();
            } else {
                // Still starting: that thread lets go of what it has.
                main.interrupt();
                await(ended);
            }
            closed.countDown();
        });
        boolean inTime = await(closed);
        if (inTime) {
            log.info("Stopped");
        } else {
            log.error("Not stopped after {} s; ending all the same", bound.toSeconds());
        }
        ServiceLogging.flush();
        Runtime.getRuntime().halt((inTime ? ExitCode.OK : ExitCode.NO).code());
    }

    private boolean await(CountDownLatch latch) {
        try {
            return latch.await(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
