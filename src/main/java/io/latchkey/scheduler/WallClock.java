package io.latchkey.scheduler;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Notices when the wall clock was set ahead, by what really went by meanwhile. For one thread. */
final class WallClock {
    private final Clock clock;
    private final LongSupplier nanos;
    private final Duration tolerance;
    private Instant lastWall;
    private long lastNanos;

    /** @param tolerance a smaller step is none */
    WallClock(Clock clock, LongSupplier nanos, Duration tolerance) {
        this.clock = clock;
        this.nanos = nanos;
        this.tolerance = tolerance;
        this.lastWall = clock.instant();
        this.lastNanos = nanos.getAsLong();
    }

    /** By how much the clock jumped ahead since this was last asked; empty if it did not. */
    Optional<Duration> jumpedAhead() {
        Instant wall = clock.instant();
        long now = nanos.getAsLong();
        Duration jump = Duration.between(lastWall, wall).minusNanos(now - lastNanos);
        lastWall = wall;
        lastNanos = now;
        return jump.compareTo(tolerance) > 0 ? Optional.of(jump) : Optional.empty();
    }
}
