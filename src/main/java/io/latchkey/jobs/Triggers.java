package io.latchkey.jobs;

import io.latchkey.jobs.cron.LatchkeyCronTrigger;
import java.time.Instant;
import java.util.Date;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDataMap;
import org.quartz.impl.triggers.AbstractTrigger;
import org.quartz.impl.triggers.SimpleTriggerImpl;
import org.quartz.spi.OperableTrigger;

/** Makes Quartz triggers of specs. Each call gives a new one; Quartz's own misfire handling must be switched off. */
public final class Triggers {
    private Triggers() {}

    /**
     * The trigger as it stands when first seen: its start is {@code spec.schedule().anchor(firstSeen)}, its next fire time
     * the first slot not before {@code firstSeen}, or null if there is none. That time is set: do not let Quartz compute
     * it, which would fire a slot of the past.
     */
    public static OperableTrigger build(TriggerSpec spec, Instant firstSeen) {
        OperableTrigger trigger = startingAt(spec, spec.schedule().anchor(firstSeen));
        trigger.setNextFireTime(spec.firstFire(firstSeen).map(Date::from).orElse(null));
        return trigger;
    }

    /**
     * The trigger as it stood when its place was kept.
     *
     * @param start its start, as {@code anchor} gave it when it was first seen
     * @param previous the last slot that fired, if any
     * @param next the next slot, or null if it has ended
     * @param timesTriggered how often it has fired; only simple triggers count
     */
    public static OperableTrigger restore(
            TriggerSpec spec, Instant start, @Nullable Instant previous, @Nullable Instant next, int timesTriggered) {
        OperableTrigger trigger = startingAt(spec, start);
        trigger.setPreviousFireTime(date(previous));
        trigger.setNextFireTime(date(next));
        if (trigger instanceof SimpleTriggerImpl simple) {
            simple.setTimesTriggered(timesTriggered);
        }
        return trigger;
    }

    private static OperableTrigger startingAt(TriggerSpec spec, Instant start) {
        AbstractTrigger<?> trigger = bySchedule(spec.schedule());
        trigger.setKey(spec.key());
        trigger.setJobKey(spec.job());
        trigger.setDescription(spec.description());
        trigger.setPriority(spec.priority());
        trigger.setMisfireInstruction(spec.misfire().quartzInstruction());
        JobDataMap data = new JobDataMap();
        spec.data().forEach(data::put);
        trigger.setJobDataMap(data);
        trigger.setStartTime(Date.from(start));
        Instant end = spec.schedule().window().end();
        if (end != null) {
            // Quartz throws where the end is before the start; such a trigger has no slots and its next fire time is
            // null.
            trigger.setEndTime(Date.from(end.isBefore(start) ? start : end));
        }
        return (OperableTrigger) trigger;
    }

    private static AbstractTrigger<?> bySchedule(Schedule schedule) {
        if (schedule instanceof Schedule.Simple simple) {
            SimpleTriggerImpl trigger = new SimpleTriggerImpl();
            trigger.setRepeatCount(simple.repeatCount());
            trigger.setRepeatInterval(simple.interval().toMillis());
            return trigger;
        }
        if (schedule instanceof Schedule.CalendarInterval calendar) {
            return new IntervalTrigger(calendar);
        }
        Schedule.Cron cron = (Schedule.Cron) schedule;
        return new LatchkeyCronTrigger(cron.cron(), cron.zone());
    }

    private static @Nullable Date date(@Nullable Instant instant) {
        return instant == null ? null : Date.from(instant);
    }
}
