package io.latchkey.election;

import io.latchkey.conf.Durations;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets the running jobs of a closing instance come to their end, for a time, and says what it waits for. */
final class Drain {
    private static final Logger log = LoggerFactory.getLogger(Drain.class);
    private static final Duration BRIEF = Duration.ofMillis(100);
    private static final Duration SAY_AGAIN = Duration.ofSeconds(10);
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(5);

    private final TermWorker worker;
    private final Time time;

    Drain(TermWorker worker, Time time) {
        this.worker = worker;
        this.time = time;
    }

    /** Blocks until all is idle, or the time is over and what was left has been interrupted. */
    void run(Duration atMost) throws InterruptedException {
        long deadline = time.nanoTime() + atMost.toNanos();
        Duration step = BRIEF;
        while (!worker.awaitIdle(step)) {
            Duration left = Duration.ofNanos(deadline - time.nanoTime());
            if (left.isNegative() || left.isZero()) {
                interrupt(atMost);
                return;
            }
            log.info(
                    "Waiting for running jobs to end here, {} s more at most; another instance can lead meanwhile",
                    Math.max(1, left.toSeconds()));
            step = left.compareTo(SAY_AGAIN) < 0 ? left : SAY_AGAIN;
        }
    }

    private void interrupt(Duration atMost) throws InterruptedException {
        log.warn(
                "Running jobs did not end within the drain timeout of {}: interrupting them", Durations.format(atMost));
        worker.interruptRunning("the drain timeout of " + Durations.format(atMost) + " is over");
        if (!worker.awaitIdle(AFTER_INTERRUPT)) {
            log.warn("Jobs still run after being interrupted; the process ends around them, and the leader decides what"
                    + " becomes of their fires");
        }
    }
}
