package io.latchkey.election;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Pauses that double, between a minimum and a maximum, with some jitter so that instances do not act in step. One thread. */
final class Backoff {
    private static final double JITTER = 0.2;

    private final Time time;
    private final Duration min;
    private final Duration max;
    private int failures;
    private long untilNanos;

    Backoff(Time time, Duration min, Duration max) {
        this.time = time;
        this.min = min;
        this.max = max;
        this.untilNanos = time.nanoTime();
    }

    /** Begins a pause, longer than the one before unless {@link #reset} was called since. */
    Duration begin() {
        long doubled = min.toNanos() << Math.min(failures, 20);
        long pause = doubled <= 0 ? max.toNanos() : Math.min(doubled, max.toNanos());
        failures++;
        pause += (long) (pause * JITTER * ThreadLocalRandom.current().nextDouble());
        untilNanos = time.nanoTime() + pause;
        return Duration.ofNanos(pause);
    }

    boolean active() {
        return time.nanoTime() - untilNanos < 0;
    }

    int failures() {
        return failures;
    }

    /** All is well again: no pause, and the next one is the shortest. */
    void reset() {
        failures = 0;
        untilNanos = time.nanoTime();
    }
}
