package io.latchkey.jobs;

import io.latchkey.jobs.cron.CronSchedule;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The slots of a cron within its window; start and end are included, as in Quartz. */
record CronTimes(
        CronSchedule cron,
        ZoneId zone,
        Instant start,
        @Nullable Instant end) implements TimeTable {
    @Override
    public Optional<Instant> next(Instant after) {
        Instant from = after.isBefore(start) ? start.minusNanos(1) : after;
        return cron.next(from, zone).filter(slot -> end == null || !slot.isAfter(end));
    }

    @Override
    public Optional<Instant> latest(Instant atOrBefore) {
        Instant to = end != null && end.isBefore(atOrBefore) ? end : atOrBefore;
        return cron.previous(to, zone).filter(slot -> !slot.isBefore(start));
    }

    @Override
    public long count(Instant fromInclusive, Instant toInclusive) {
        Instant from = fromInclusive.isBefore(start) ? start : fromInclusive;
        Instant to = end != null && end.isBefore(toInclusive) ? end : toInclusive;
        return to.isBefore(from) ? 0 : cron.countBetween(from, to, zone);
    }
}
