package io.latchkey.conf;

import java.time.Duration;

/**
 * How an instance stops.
 *
 * @param drainTimeout how long running jobs may go on after the lead is handed over; then they are interrupted. Zero
 *     interrupts them at once
 */
public record ShutdownSettings(Duration drainTimeout) {
    static final Range<Duration> DRAIN_TIMEOUT = new Range<>(Duration.ZERO, Duration.ofDays(1));

    public ShutdownSettings {
        DRAIN_TIMEOUT.require("shutdown.drain-timeout", drainTimeout);
    }
}
