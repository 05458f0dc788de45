package io.latchkey.election;

import java.time.Clock;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The two clocks of a machine, injected so that tests can step them.
 *
 * @param clock wall time, for people and for noticing a suspended machine
 * @param nanos elapsed time, as {@link System#nanoTime()}
 */
public record Time(Clock clock, LongSupplier nanos) {
    /** The machine's own. */
    public static Time system() {
        return new Time(Clock.systemUTC(), System::nanoTime);
    }

    /** Elapsed time. */
    public long nanoTime() {
        return nanos.getAsLong();
    }

    /** Wall time. */
    public Instant now() {
        return clock.instant();
    }
}
