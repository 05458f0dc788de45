package io.latchkey.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WallClockTest {
    private final AtomicLong nanos = new AtomicLong();
    private Instant wall = Instant.parse("2026-11-29T09:00:00Z");
    private final Clock clock = new Clock() {
        @Override
        public Instant instant() {
            return wall;
        }

        @Override
        public ZoneId getZone() {
            return ZoneId.of("UTC");
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    };
    private final WallClock watch = new WallClock(clock, nanos::get, Duration.ofSeconds(5));

    private void pass(Duration real, Duration shown) {
        nanos.addAndGet(real.toNanos());
        wall = wall.plus(shown);
    }

    @Test
    void onlyAStepAheadIsSeenAndOnlyOnce() {
        pass(Duration.ofHours(1), Duration.ofHours(1));
        assertThat(watch.jumpedAhead()).isEmpty();
        pass(Duration.ofSeconds(1), Duration.ofSeconds(301));
        assertThat(watch.jumpedAhead()).contains(Duration.ofMinutes(5));
        assertThat(watch.jumpedAhead()).isEmpty();
        pass(Duration.ofSeconds(1), Duration.ofMinutes(-5));
        assertThat(watch.jumpedAhead()).isEmpty();
    }
}
