package io.latchkey;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.Supplier;

/** A wall clock that is ahead of the machine's own by what a test says. */
final class MovedClock extends Clock {
    private final Clock machine;
    private final Supplier<Duration> ahead;

    MovedClock(Clock machine, Supplier<Duration> ahead) {
        this.machine = machine;
        this.ahead = ahead;
    }

    @Override
    public ZoneId getZone() {
        return machine.getZone();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return new MovedClock(machine.withZone(zone), ahead);
    }

    @Override
    public Instant instant() {
        return machine.instant().plus(ahead.get());
    }
}
