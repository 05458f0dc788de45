package io.latchkey.jobs;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Date;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.quartz.Calendar;
import org.quartz.DateBuilder.IntervalUnit;
import org.quartz.impl.triggers.CalendarIntervalTriggerImpl;

/**
 * Quartz's calendar-interval trigger with its times from our {@link TimeTable}. Quartz's own steps from each slot to the
 * next, so that monthly from 31 January goes on at the 28th for ever; it walks from the start each time it is asked, and
 * its small units overflow.
 */
@SuppressWarnings("JavaUtilDate") // Quartz's interface speaks in Date.
final class IntervalTrigger extends CalendarIntervalTriggerImpl {
    private static final long serialVersionUID = 1L;

    private final Unit unit;
    private final int interval;
    private final ZoneId zone;

    IntervalTrigger(Schedule.CalendarInterval schedule) {
        unit = schedule.unit();
        interval = schedule.interval();
        zone = schedule.zone();
        setRepeatInterval(interval);
        setRepeatIntervalUnit(IntervalUnit.valueOf(unit.name()));
        setTimeZone(TimeZone.getTimeZone(zone));
        setPreserveHourOfDayAcrossDaylightSavings(true);
    }

    @Override
    public @Nullable Date computeFirstFireTime(@Nullable Calendar calendar) {
        Date first = getFireTimeAfter(new Date(getStartTime().getTime() - 1), false);
        setNextFireTime(first);
        return first;
    }

    @Override
    protected @Nullable Date getFireTimeAfter(@Nullable Date afterTime, boolean ignoreEndTime) {
        Instant after = (afterTime == null ? new Date() : afterTime).toInstant();
        return times(!ignoreEndTime).next(after).map(Date::from).orElse(null);
    }

    @Override
    public @Nullable Date getFinalFireTime() {
        Date end = getEndTime();
        return end == null
                ? null
                : times(true).latest(end.toInstant()).map(Date::from).orElse(null);
    }

    private TimeTable times(boolean bounded) {
        Date end = bounded ? getEndTime() : null;
        Instant start = getStartTime().toInstant();
        Window window = Window.between(start, end == null ? null : end.toInstant());
        return new Schedule.CalendarInterval(window, interval, unit, zone).timeTable(start);
    }
}
