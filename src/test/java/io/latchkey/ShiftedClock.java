package io.latchkey;

import io.latchkey.election.Time;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** A machine's wall clock that is wrong by so much, and can be set; elapsed time is not affected. */
final class ShiftedClock extends Clock {
    private final AtomicReference<Duration> ahead;

    ShiftedClock(Duration ahead) {
        this.ahead = new AtomicReference<>(ahead);
    }

    /** A clock that shows this now. */
    static ShiftedClock showing(Instant now) {
        return new ShiftedClock(Duration.between(Instant.now(), now));
    }

    void step(Duration by) {
        ahead.updateAndGet(by::plus);
    }

    Time time() {
        return new Time(this, System::nanoTime);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Instant instant() {
        return Instant.now().plus(ahead.get());
    }
}
