package io.latchkey.election;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;

/** Both clocks of a machine, moved by hand. */
final class SteppedTime {
    private final AtomicLong nanos = new AtomicLong(1_000_000_000L);
    private final AtomicLong wallAhead = new AtomicLong();

    long nanoTime() {
        return nanos.get();
    }

    /** Time passes on both clocks. */
    void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    /** Time passes on the wall clock alone, as while a machine is suspended. */
    void suspend(Duration time) {
        wallAhead.addAndGet(time.toNanos());
    }

    Clock clock() {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return Instant.parse("2026-11-29T12:00:00Z").plusNanos(nanos.get() + wallAhead.get());
            }
        };
    }
}
