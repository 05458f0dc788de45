package io.latchkey.jobs.cron;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Wall-clock fires made instants. A zone's time line is taken apart into stretches of one offset each; within a stretch
 * wall-clock arithmetic is exact, so no fire is missed or met twice however the stretches meet.
 *
 * @param fixedTime of a wall-clock time that comes twice the second is the fire, not both
 */
record ZonedTimes(WallTimes wall, boolean fixedTime) {
    // A few days beyond the years of WallTimes, so that no offset can reach across.
    private static final long EARLIEST =
            LocalDateTime.of(WallTimes.FIRST_YEAR - 1, 12, 29, 0, 0).toEpochSecond(ZoneOffset.UTC);
    private static final long LATEST =
            LocalDateTime.of(WallTimes.LAST_YEAR + 1, 1, 4, 0, 0).toEpochSecond(ZoneOffset.UTC);
    /** More than any two offsets differ. */
    private static final int SAFE_DAYS = 2;

    Optional<Instant> next(Instant after, ZoneId zone) {
        ZoneRules rules = zone.getRules();
        long second = Math.max(after.getEpochSecond(), EARLIEST) + 1;
        while (second <= LATEST) {
            Instant at = Instant.ofEpochSecond(second);
            ZoneOffset offset = rules.getOffset(at);
            LocalDateTime local = LocalDateTime.ofEpochSecond(second, 0, offset);
            LocalDateTime fire = wall.atOrAfter(local);
            ZoneOffsetTransition shift = rules.nextTransition(at);
            if (fire != null && (shift == null || fire.isBefore(end(shift)))) {
                return Optional.of(fire.toInstant(offset));
            }
            if (shift == null) {
                return Optional.empty();
            }
            second = shift.toEpochSecond();
            if (!shift.getDateTimeAfter().isBefore(local)) {
                // No wall-clock time before "local" comes again, so nothing is due before "fire".
                if (fire == null) {
                    return Optional.empty();
                }
                second = Math.max(second, fire.minusDays(SAFE_DAYS).toEpochSecond(ZoneOffset.UTC));
            }
        }
        return Optional.empty();
    }

    Optional<Instant> previous(Instant atOrBefore, ZoneId zone) {
        ZoneRules rules = zone.getRules();
        long second = Math.min(atOrBefore.getEpochSecond(), LATEST);
        while (second >= EARLIEST) {
            Instant at = Instant.ofEpochSecond(second);
            ZoneOffset offset = rules.getOffset(at);
            LocalDateTime local = LocalDateTime.ofEpochSecond(second, 0, offset);
            ZoneOffsetTransition next = rules.nextTransition(at);
            if (next != null && !local.isBefore(end(next))) {
                local = end(next).minusSeconds(1);
            }
            LocalDateTime fire = wall.atOrBefore(local);
            // A shift at this very second has already happened.
            ZoneOffsetTransition shift = rules.previousTransition(at.plusNanos(1));
            if (fire != null && (shift == null || !fire.isBefore(shift.getDateTimeAfter()))) {
                return Optional.of(fire.toInstant(offset));
            }
            if (shift == null) {
                return Optional.empty();
            }
            second = shift.toEpochSecond() - 1;
            if (!shift.getDateTimeBefore().isAfter(local)) {
                if (fire == null) {
                    return Optional.empty();
                }
                second = Math.min(second, fire.plusDays(SAFE_DAYS).toEpochSecond(ZoneOffset.UTC));
            }
        }
        return Optional.empty();
    }

    long countBetween(Instant fromInclusive, Instant toInclusive, ZoneId zone) {
        ZoneRules rules = zone.getRules();
        long from = Math.max(fromInclusive.getEpochSecond() + (fromInclusive.getNano() > 0 ? 1 : 0), EARLIEST);
        long to = Math.min(toInclusive.getEpochSecond(), LATEST);
        long count = 0;
        while (from <= to) {
            Instant at = Instant.ofEpochSecond(from);
            ZoneOffset offset = rules.getOffset(at);
            LocalDateTime end = LocalDateTime.ofEpochSecond(to + 1, 0, offset);
            ZoneOffsetTransition shift = rules.nextTransition(at);
            if (shift != null && end(shift).isBefore(end)) {
                end = end(shift);
            }
            count += wall.count(LocalDateTime.ofEpochSecond(from, 0, offset), end);
            if (shift == null) {
                break;
            }
            from = shift.toEpochSecond();
        }
        return count;
    }

    List<ZoneAnomaly> anomalies(Instant from, Instant to, ZoneId zone) {
        List<ZoneAnomaly> found = new ArrayList<>();
        Instant last = to.getEpochSecond() > LATEST ? Instant.ofEpochSecond(LATEST) : to;
        Instant start = from.getEpochSecond() < EARLIEST ? Instant.ofEpochSecond(EARLIEST) : from.minusNanos(1);
        ZoneOffsetTransition shift = zone.getRules().nextTransition(start);
        while (shift != null && !shift.getInstant().isAfter(last)) {
            LocalDateTime low = shift.isGap() ? shift.getDateTimeBefore() : shift.getDateTimeAfter();
            LocalDateTime high = shift.isGap() ? shift.getDateTimeAfter() : shift.getDateTimeBefore();
            LocalDateTime firstFire = wall.atOrAfter(low);
            LocalDateTime lastFire = wall.atOrBefore(high.minusSeconds(1));
            if (firstFire != null && lastFire != null && firstFire.isBefore(high)) {
                ZoneAnomaly.Kind kind = shift.isGap() ? ZoneAnomaly.Kind.GAP : ZoneAnomaly.Kind.OVERLAP;
                long count = wall.count(low, high);
                found.add(new ZoneAnomaly(kind, firstFire, lastFire, count, shift.getInstant(), fixedTime));
            }
            shift = zone.getRules().nextTransition(shift.getInstant());
        }
        return List.copyOf(found);
    }

    /** Where the wall-clock times of the stretch before a shift end: a fixed time leaves those that come again to the next. */
    private LocalDateTime end(ZoneOffsetTransition shift) {
        return fixedTime && shift.isOverlap() ? shift.getDateTimeAfter() : shift.getDateTimeBefore();
    }
}
