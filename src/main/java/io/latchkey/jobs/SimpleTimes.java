package io.latchkey.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Slots a fixed time apart: slot n is start + n * interval. The end is excluded, as in Quartz.
 *
 * @param repeatCount the number of the last slot, or {@link Schedule.Simple#FOR_EVER}
 */
record SimpleTimes(Instant start, @Nullable Instant end, int repeatCount, Duration interval) implements TimeTable {
    @Override
    public Optional<Instant> next(Instant after) {
        long n = after.isBefore(start) ? 0 : indexAt(after) + 1;
        return n > lastIndex() ? Optional.empty() : Optional.of(slot(n));
    }

    @Override
    public Optional<Instant> latest(Instant atOrBefore) {
        long n = Math.min(indexAt(atOrBefore), lastIndex());
        return n < 0 ? Optional.empty() : Optional.of(slot(n));
    }

    @Override
    public long count(Instant fromInclusive, Instant toInclusive) {
        long before = Math.min(indexAt(fromInclusive.minusNanos(1)), lastIndex());
        long upTo = Math.min(indexAt(toInclusive), lastIndex());
        return Math.max(0, upTo - before);
    }

    private Instant slot(long n) {
        return start.plusMillis(Math.multiplyExact(n, interval.toMillis()));
    }

    /** The number of the last slot not later than {@code instant}, as if there were no last one; -1 before the first. */
    private long indexAt(Instant instant) {
        if (instant.isBefore(start)) {
            return -1;
        }
        long millis = interval.toMillis();
        return millis == 0 ? 0 : Duration.between(start, instant).toMillis() / millis;
    }

    private long lastIndex() {
        long byEnd = end == null ? Instant.MAX.getEpochSecond() : indexAt(end.minusMillis(1));
        return repeatCount == Schedule.Simple.FOR_EVER ? byEnd : Math.min(byEnd, repeatCount);
    }
}
