package io.latchkey.jobs.cron;

import java.time.Instant;
import java.time.LocalDateTime;

/**
 * Fires whose wall-clock time a shift of the clocks skips or repeats.
 *
 * @param kind whether the clocks go forward or back
 * @param first the first wall-clock time concerned
 * @param last the last one; equal to {@code first} if there is only one
 * @param count how many wall-clock times are concerned
 * @param shift when the clocks are moved
 * @param fixedTime whether the schedule names its hours; otherwise it keeps its rhythm, and the shift is no cause for a
 *     warning
 */
public record ZoneAnomaly(
        Kind kind, LocalDateTime first, LocalDateTime last, long count, Instant shift, boolean fixedTime) {
    /** What the clocks do. */
    public enum Kind {
        /** They go forward: the wall-clock time does not exist, and the fire does not happen. */
        GAP,
        /** They go back: the wall-clock time comes twice. */
        OVERLAP
    }

    /** One sentence for the author of the schedule. */
    public String describe() {
        boolean one = count == 1;
        String times = one ? first.toString() : count + " times from " + first + " to " + last;
        return switch (kind) {
            case GAP ->
                times + (one ? " does" : " do") + " not exist, for the clocks go forward: "
                        + (fixedTime ? "no run then" : "the rhythm goes on after them");
            case OVERLAP ->
                times + (one ? " comes" : " come") + " twice, for the clocks go back: "
                        + (fixedTime ? "one run, the second time" : "a run both times");
        };
    }
}
