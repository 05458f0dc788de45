package io.latchkey.jobs;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Slots so many days, weeks, months or years apart on the local calendar. Slot n is computed from the start, not from the
 * slot before it, so nothing drifts; it is found by an estimate and a step or two, so nothing searches. The end is
 * excluded, as in Quartz.
 */
record CalendarTimes(Instant start, @Nullable Instant end, int interval, Unit unit, ZoneId zone) implements TimeTable {
    /** Beyond this year there are no slots, so that arithmetic stays within what Quartz's dates can hold. */
    private static final int LAST_YEAR = 9999;

    private static final Instant LAST = Instant.parse("9999-12-30T00:00:00Z");

    @Override
    public Optional<Instant> next(Instant after) {
        long n = after.isBefore(start) ? 0 : indexAt(after) + 1;
        return Optional.ofNullable(slot(n)).filter(this::inWindow);
    }

    @Override
    public Optional<Instant> latest(Instant atOrBefore) {
        Instant to = within(atOrBefore);
        return to.isBefore(start) ? Optional.empty() : Optional.ofNullable(slot(indexAt(to)));
    }

    @Override
    public long count(Instant fromInclusive, Instant toInclusive) {
        Instant to = within(toInclusive);
        if (to.isBefore(start) || to.isBefore(fromInclusive)) {
            return 0;
        }
        Instant before = fromInclusive.minusNanos(1);
        long first = before.isBefore(start) ? -1 : indexAt(before);
        return indexAt(to) - first - doubled(first, indexAt(to));
    }

    private boolean inWindow(Instant slot) {
        return end == null || slot.isBefore(end);
    }

    private Instant within(Instant instant) {
        return end == null || instant.isBefore(end) ? instant : end.minusNanos(1);
    }

    /** Slot n, or null past the last year. */
    private @Nullable Instant slot(long n) {
        if (n == 0) {
            return start;
        }
        LocalDateTime first = LocalDateTime.ofInstant(start, zone);
        long units = Math.multiplyExact(n, interval);
        if (units > unit.chrono().between(first, first.withYear(LAST_YEAR))) {
            return null;
        }
        return ZonedDateTime.of(first.plus(units, unit.chrono()), zone)
                .withLaterOffsetAtOverlap()
                .toInstant();
    }

    /** The number of the last slot not later than {@code instant}, which is not before the start. */
    private long indexAt(Instant instant) {
        LocalDateTime first = LocalDateTime.ofInstant(start, zone);
        LocalDateTime there = LocalDateTime.ofInstant(instant.isBefore(LAST) ? instant : LAST, zone);
        // A shifted slot, a doubled hour or the shorter month may put the estimate off by one, seldom two.
        long n = Math.max(0, unit.chrono().between(first, there) / interval - 1);
        while (true) {
            Instant next = slot(n + 1);
            if (next == null || next.isAfter(instant)) {
                break;
            }
            n++;
        }
        while (n > 0 && isAfter(n, instant)) {
            n--;
        }
        return n;
    }

    private boolean isAfter(long n, Instant instant) {
        Instant slot = slot(n);
        return slot == null || slot.isAfter(instant);
    }

    /** How many slots in (after, upTo] coincide with the one before: a whole skipped day (Samoa, 2011) makes them. */
    private long doubled(long after, long upTo) {
        return zone.getRules().getTransitions().stream()
                .filter(t -> t.isGap()
                        && t.getDuration().toDays() >= 1
                        && t.getInstant().isAfter(start))
                .mapToLong(t -> indexAt(t.getInstant().plus(t.getDuration())))
                .filter(n -> n > after && n <= upTo && coincides(n))
                .count();
    }

    private boolean coincides(long n) {
        Instant slot = slot(n);
        return slot != null && slot.equals(slot(n - 1));
    }
}
