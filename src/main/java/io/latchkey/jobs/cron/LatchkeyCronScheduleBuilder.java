package io.latchkey.jobs.cron;

import java.time.Clock;
import java.time.ZoneId;
import org.quartz.CronTrigger;
import org.quartz.ScheduleBuilder;
import org.quartz.spi.MutableTrigger;

/** Lets Quartz's {@code TriggerBuilder} make and copy our cron triggers. */
final class LatchkeyCronScheduleBuilder extends ScheduleBuilder<CronTrigger> {
    private final CronSchedule schedule;
    private final ZoneId zone;
    private final Clock clock;
    private final int misfireInstruction;

    LatchkeyCronScheduleBuilder(CronSchedule schedule, ZoneId zone, Clock clock, int misfireInstruction) {
        this.schedule = schedule;
        this.zone = zone;
        this.clock = clock;
        this.misfireInstruction = misfireInstruction;
    }

    @Override
    protected MutableTrigger build() {
        LatchkeyCronTrigger trigger = new LatchkeyCronTrigger(schedule, zone, clock);
        trigger.setMisfireInstruction(misfireInstruction);
        return trigger;
    }
}
