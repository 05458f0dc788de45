package io.latchkey.jobs;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * When a trigger begins and ends.
 *
 * @param start the first possible slot; null: the instant at which the cluster first saw the trigger, plus {@code delay}
 * @param delay added to the instant of first sight; zero where {@code start} is given
 * @param end no slot after it; null: for ever. Whether a slot <em>at</em> the end still counts is the schedule's business:
 *     as in Quartz it does for crons and does not for intervals
 */
public record Window(
        @Nullable Instant start, Duration delay, @Nullable Instant end) {
    /** No bounds: begins when first seen. */
    public static final Window OPEN = new Window(null, Duration.ZERO, null);

    public Window {
        if (start != null && !delay.isZero()) {
            throw new IllegalArgumentException("a start and a delay exclude each other");
        }
        if (delay.isNegative()) {
            throw new IllegalArgumentException("the delay is negative: " + delay);
        }
        start = start == null ? null : start.truncatedTo(ChronoUnit.MILLIS);
        end = end == null ? null : end.truncatedTo(ChronoUnit.MILLIS);
    }

    /** Begins at a given instant, for ever. */
    public static Window from(Instant start) {
        return new Window(start, Duration.ZERO, null);
    }

    /** Begins and ends at given instants. */
    public static Window between(@Nullable Instant start, @Nullable Instant end) {
        return new Window(start, Duration.ZERO, end);
    }

    /** Begins this long after it is first seen, for ever. */
    public static Window after(Duration delay) {
        return new Window(null, delay, null);
    }

    Instant anchor(Instant firstSeen) {
        return start != null ? start : firstSeen.plus(delay).truncatedTo(ChronoUnit.MILLIS);
    }

    /** Whether {@code instant} is past the end, if the end itself belongs to the window or not. */
    boolean endsBefore(Instant instant, boolean endIncluded) {
        return end != null && (endIncluded ? instant.isAfter(end) : !instant.isBefore(end));
    }
}
