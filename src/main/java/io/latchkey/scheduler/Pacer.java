package io.latchkey.scheduler;

import java.time.Duration;
import java.time.Instant;

/** Spreads replays: hands out instants that are no closer than the rate allows. Guarded by the job store's claim lock. */
final class Pacer {
    private final Duration interval;
    private Instant last = Instant.MIN;

    Pacer(int perSecond) {
        interval = Duration.ofSeconds(1).dividedBy(perSecond);
    }

    /** The next free instant, not before {@code now}. */
    Instant reserve(Instant now) {
        Instant earliest = last.equals(Instant.MIN) ? now : last.plus(interval);
        last = earliest.isBefore(now) ? now : earliest;
        return last;
    }
}
