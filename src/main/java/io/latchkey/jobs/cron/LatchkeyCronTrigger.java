package io.latchkey.jobs.cron;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Date;
import java.util.Optional;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.quartz.Calendar;
import org.quartz.CronTrigger;
import org.quartz.ScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.impl.triggers.AbstractTrigger;

/**
 * Quartz's view of a {@link CronSchedule}: every time it gives comes from there.
 *
 * <p>It differs from Quartz's own cron trigger in three more points. A start time keeps its milliseconds, so a slot before
 * it never fires. The final fire time is known even without an end time, if the expression's years run out. Next and
 * previous times are taken as they are set, so a trigger can be restored from a cursor. Like all triggers it is mutable
 * and belongs to one thread, or to the job store's lock.
 */
@SuppressWarnings("JavaUtilDate") // Quartz's interface speaks in Date.
public final class LatchkeyCronTrigger extends AbstractTrigger<CronTrigger> implements CronTrigger {
    private static final long serialVersionUID = 1L;

    private final String expression;
    private final ZoneId zone;
    private transient CronSchedule schedule;
    private transient Clock clock;
    private Date startTime;
    private @Nullable Date endTime;
    private @Nullable Date nextFireTime;
    private @Nullable Date previousFireTime;

    /** A trigger that starts now; name, job and the rest are set by Quartz's setters or a {@code TriggerBuilder}. */
    public LatchkeyCronTrigger(CronSchedule schedule, ZoneId zone) {
        this(schedule, zone, Clock.systemUTC());
    }

    /** As above, with the clock that says what "now" is where Quartz's contract asks for it. */
    public LatchkeyCronTrigger(CronSchedule schedule, ZoneId zone, Clock clock) {
        this.expression = schedule.expression();
        this.zone = zone;
        this.schedule = schedule;
        this.clock = clock;
        this.startTime = Date.from(clock.instant());
    }

    /** For {@code TriggerBuilder.withSchedule}; the misfire instruction is smart unless set on the trigger. */
    public static ScheduleBuilder<CronTrigger> builder(CronSchedule schedule, ZoneId zone) {
        return new LatchkeyCronScheduleBuilder(schedule, zone, Clock.systemUTC(), MISFIRE_INSTRUCTION_SMART_POLICY);
    }

    /** Where the times come from. */
    public CronSchedule schedule() {
        return schedule;
    }

    @Override
    public String getCronExpression() {
        return expression;
    }

    @Override
    public TimeZone getTimeZone() {
        return TimeZone.getTimeZone(zone);
    }

    @Override
    public String getExpressionSummary() {
        return expression + " in " + zone;
    }

    @Override
    public Date getStartTime() {
        return copy(startTime);
    }

    @Override
    public void setStartTime(Date startTime) {
        if (endTime != null && endTime.before(startTime)) {
            throw new IllegalArgumentException("the start time " + startTime + " is after the end time " + endTime);
        }
        this.startTime = copy(startTime);
    }

    @Override
    public @Nullable Date getEndTime() {
        return copyOrNull(endTime);
    }

    @Override
    public void setEndTime(@Nullable Date endTime) {
        if (endTime != null && endTime.before(startTime)) {
            throw new IllegalArgumentException("the end time " + endTime + " is before the start time " + startTime);
        }
        this.endTime = copyOrNull(endTime);
    }

    @Override
    public @Nullable Date getNextFireTime() {
        return copyOrNull(nextFireTime);
    }

    @Override
    public void setNextFireTime(@Nullable Date nextFireTime) {
        this.nextFireTime = copyOrNull(nextFireTime);
    }

    @Override
    public @Nullable Date getPreviousFireTime() {
        return copyOrNull(previousFireTime);
    }

    @Override
    public void setPreviousFireTime(@Nullable Date previousFireTime) {
        this.previousFireTime = copyOrNull(previousFireTime);
    }

    @Override
    public boolean mayFireAgain() {
        return nextFireTime != null;
    }

    /** The first slot after a time, not before the start and not after the end; after now if the time is null. */
    @Override
    public @Nullable Date getFireTimeAfter(@Nullable Date afterTime) {
        Instant after = afterTime == null ? clock.instant() : afterTime.toInstant();
        Instant beforeStart = startTime.toInstant().minusNanos(1);
        return withinEnd(schedule.next(after.isBefore(beforeStart) ? beforeStart : after, zone));
    }

    /** The last slot there will be; null if there is none, or no end to them. */
    @Override
    public @Nullable Date getFinalFireTime() {
        if (endTime == null && schedule.endless()) {
            return null;
        }
        Instant end = endTime == null ? Instant.MAX : endTime.toInstant();
        return schedule.previous(end, zone)
                .filter(last -> !last.isBefore(startTime.toInstant()))
                .map(Date::from)
                .orElse(null);
    }

    /** Whether the instant is a slot between start and end. */
    public boolean willFireOn(Instant instant) {
        Date before = Date.from(instant.minusMillis(1));
        Date fire = getFireTimeAfter(before);
        return fire != null && fire.toInstant().equals(instant);
    }

    @Override
    public @Nullable Date computeFirstFireTime(@Nullable Calendar calendar) {
        nextFireTime = included(getFireTimeAfter(Date.from(startTime.toInstant().minusMillis(1))), calendar);
        return copyOrNull(nextFireTime);
    }

    @Override
    public void triggered(@Nullable Calendar calendar) {
        previousFireTime = nextFireTime;
        nextFireTime = included(getFireTimeAfter(nextFireTime), calendar);
    }

    @Override
    public void updateAfterMisfire(@Nullable Calendar calendar) {
        switch (getMisfireInstruction()) {
            case Trigger.MISFIRE_INSTRUCTION_IGNORE_MISFIRE_POLICY -> {
                // Every missed slot is to run, so the next one stays the oldest.
            }
            case MISFIRE_INSTRUCTION_DO_NOTHING ->
                nextFireTime = included(getFireTimeAfter(Date.from(clock.instant())), calendar);
            default -> nextFireTime = Date.from(clock.instant());
        }
    }

    @Override
    public void updateWithNewCalendar(Calendar calendar, long misfireThreshold) {
        Date next = included(getFireTimeAfter(previousFireTime), calendar);
        Instant oldest = clock.instant().minusMillis(misfireThreshold);
        if (next != null && !next.toInstant().isAfter(oldest)) {
            next = included(getFireTimeAfter(Date.from(oldest)), calendar);
        }
        nextFireTime = next;
    }

    @Override
    protected boolean validateMisfireInstruction(int candidate) {
        return candidate >= MISFIRE_INSTRUCTION_IGNORE_MISFIRE_POLICY && candidate <= MISFIRE_INSTRUCTION_DO_NOTHING;
    }

    @Override
    public ScheduleBuilder<CronTrigger> getScheduleBuilder() {
        return new LatchkeyCronScheduleBuilder(schedule, zone, clock, getMisfireInstruction());
    }

    /** The given slot or the first later one that the calendar, if any, includes. */
    private @Nullable Date included(@Nullable Date slot, @Nullable Calendar calendar) {
        Date fire = slot;
        while (fire != null && calendar != null && !calendar.isTimeIncluded(fire.getTime())) {
            // Straight to the end of the excluded stretch: a second-by-second walk over a holiday would take too long.
            long resume = Math.max(fire.getTime(), calendar.getNextIncludedTime(fire.getTime()) - 1);
            fire = getFireTimeAfter(new Date(resume));
        }
        return fire;
    }

    private @Nullable Date withinEnd(Optional<Instant> slot) {
        Date fire = slot.map(Date::from).orElse(null);
        return fire == null || (endTime != null && fire.after(endTime)) ? null : fire;
    }

    private static Date copy(Date date) {
        return new Date(date.getTime());
    }

    private static @Nullable Date copyOrNull(@Nullable Date date) {
        return date == null ? null : copy(date);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        schedule = CronSchedule.ofExpression(expression);
        clock = Clock.systemUTC();
    }
}
