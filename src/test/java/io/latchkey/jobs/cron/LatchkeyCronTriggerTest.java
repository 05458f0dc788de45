package io.latchkey.jobs.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.quartz.CronTrigger;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.calendar.BaseCalendar;
import org.quartz.impl.calendar.WeeklyCalendar;

@SuppressWarnings("JavaUtilDate") // Quartz's interface speaks in Date.
class LatchkeyCronTriggerTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final ZoneId UTC = ZoneOffset.UTC;
    private static final Instant NOW = Instant.parse("2026-11-29T12:00:00.250Z");

    @Test
    void firstFireIsNotBeforeTheStartEvenByMilliseconds() {
        LatchkeyCronTrigger trigger = trigger("* * * * * ?", UTC);
        trigger.setStartTime(date("2026-11-29T12:00:00.500Z"));
        assertThat(trigger.getStartTime()).isEqualTo(date("2026-11-29T12:00:00.500Z"));
        assertThat(trigger.computeFirstFireTime(null)).isEqualTo(date("2026-11-29T12:00:01Z"));
        trigger.setStartTime(date("2026-11-29T12:00:02Z"));
        assertThat(trigger.computeFirstFireTime(null)).isEqualTo(date("2026-11-29T12:00:02Z"));
    }

    @Test
    void fireAtTheEndStillCountsAndNoneAfter() {
        LatchkeyCronTrigger trigger = trigger("0 * * * * ?", UTC);
        trigger.setEndTime(date("2026-11-29T12:02:00Z"));
        assertThat(trigger.computeFirstFireTime(null)).isEqualTo(date("2026-11-29T12:01:00Z"));
        trigger.triggered(null);
        assertThat(trigger.getPreviousFireTime()).isEqualTo(date("2026-11-29T12:01:00Z"));
        assertThat(trigger.getNextFireTime()).isEqualTo(date("2026-11-29T12:02:00Z"));
        assertThat(trigger.mayFireAgain()).isTrue();
        trigger.triggered(null);
        assertThat(trigger.getNextFireTime()).isNull();
        assertThat(trigger.mayFireAgain()).isFalse();
        assertThat(trigger.getFinalFireTime()).isEqualTo(date("2026-11-29T12:02:00Z"));
        assertThat(trigger.getFireTimeAfter(date("2026-11-29T12:02:00Z"))).isNull();
    }

    @Test
    void windowThatHasPassedOrHoldsNoSlotNeverFires() {
        LatchkeyCronTrigger trigger = trigger("0 0 9 * * ?", UTC);
        trigger.setStartTime(date("2012-01-01T10:00:00Z"));
        trigger.setEndTime(date("2012-01-01T11:00:00Z"));
        assertThat(trigger.computeFirstFireTime(null)).isNull();
        assertThat(trigger.getFinalFireTime()).isNull();
        assertThat(trigger.mayFireAgain()).isFalse();
    }

    @Test
    void finalFireIsKnownWhereTheYearsRunOutAndNullWhereTheyDoNot() {
        assertThat(trigger("0 0 9 1 1 ? 2027-2028", UTC).getFinalFireTime()).isEqualTo(date("2028-01-01T09:00:00Z"));
        assertThat(trigger("0 0 9 1 1 ? 2020", UTC).getFinalFireTime()).isNull();
        assertThat(trigger("0 0 9 1 1 ?", UTC).getFinalFireTime()).isNull();
    }

    @Test
    void endBeforeStartIsRefused() {
        LatchkeyCronTrigger trigger = trigger("0 0 9 * * ?", UTC);
        Date early = date("2026-01-01T00:00:00Z");
        assertThatThrownBy(() -> trigger.setEndTime(early)).isInstanceOf(IllegalArgumentException.class);
        trigger.setEndTime(date("2027-01-01T00:00:00Z"));
        Date late = date("2027-01-01T00:00:01Z");
        assertThatThrownBy(() -> trigger.setStartTime(late)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void misfireInstructionsKeepQuartzsContract() {
        LatchkeyCronTrigger trigger = trigger("0 0 9 * * ?", UTC);
        Date missed = date("2026-11-29T09:00:00Z");

        trigger.setNextFireTime(missed);
        trigger.setMisfireInstruction(CronTrigger.MISFIRE_INSTRUCTION_DO_NOTHING);
        trigger.updateAfterMisfire(null);
        assertThat(trigger.getNextFireTime()).isEqualTo(date("2026-11-30T09:00:00Z"));

        trigger.setNextFireTime(missed);
        trigger.setMisfireInstruction(Trigger.MISFIRE_INSTRUCTION_IGNORE_MISFIRE_POLICY);
        trigger.updateAfterMisfire(null);
        assertThat(trigger.getNextFireTime()).isEqualTo(missed);

        for (int once :
                new int[] {CronTrigger.MISFIRE_INSTRUCTION_FIRE_ONCE_NOW, Trigger.MISFIRE_INSTRUCTION_SMART_POLICY}) {
            trigger.setNextFireTime(missed);
            trigger.setMisfireInstruction(once);
            trigger.updateAfterMisfire(null);
            assertThat(trigger.getNextFireTime()).isEqualTo(Date.from(NOW));
        }
        for (int unknown : new int[] {-2, 3, 5}) {
            assertThatThrownBy(() -> trigger.setMisfireInstruction(unknown))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void calendarIsHeededAndSkippedOverInStrides() {
        CountingWorkdays workdays = new CountingWorkdays();
        workdays.setTimeZone(TimeZone.getTimeZone(UTC));
        LatchkeyCronTrigger trigger = trigger("* * * * * ?", UTC);
        assertThat(trigger.computeFirstFireTime(workdays)).isEqualTo(date("2026-11-30T00:00:00Z"));
        trigger.setNextFireTime(date("2026-12-04T23:59:59Z"));
        trigger.triggered(workdays);
        assertThat(trigger.getNextFireTime()).isEqualTo(date("2026-12-07T00:00:00Z"));
        trigger.setPreviousFireTime(date("2026-12-04T23:59:59Z"));
        trigger.updateWithNewCalendar(workdays, 5_000);
        assertThat(trigger.getNextFireTime()).isEqualTo(date("2026-12-07T00:00:00Z"));
        assertThat(workdays.asked).isLessThan(50);
    }

    @Test
    void newCalendarDropsWhatIsPastTheThreshold() {
        LatchkeyCronTrigger trigger = trigger("0 * * * * ?", UTC);
        trigger.setStartTime(date("2026-11-01T00:00:00Z"));
        trigger.setPreviousFireTime(date("2026-11-29T11:00:00Z"));
        trigger.updateWithNewCalendar(new BaseCalendar(), 5_000);
        assertThat(trigger.getNextFireTime()).isEqualTo(date("2026-11-29T12:00:00Z"));
        trigger.setPreviousFireTime(null);
        trigger.updateWithNewCalendar(new BaseCalendar(), 5_000);
        assertThat(trigger.getNextFireTime()).isEqualTo(date("2026-11-29T12:01:00Z"));
    }

    @Test
    void willFireOnSlotsWithinTheWindowAlone() {
        LatchkeyCronTrigger trigger = trigger("0 30 2 * * ?", BERLIN);
        trigger.setStartTime(date("2026-01-01T00:00:00Z"));
        assertThat(trigger.willFireOn(Instant.parse("2026-10-25T01:30:00Z"))).isTrue();
        assertThat(trigger.willFireOn(Instant.parse("2026-10-25T00:30:00Z"))).isFalse();
        assertThat(trigger.willFireOn(Instant.parse("2025-12-31T01:30:00Z"))).isFalse();
        assertThat(trigger.willFireOn(Instant.parse("2026-10-25T01:30:00.001Z")))
                .isFalse();
    }

    @Test
    void cloneGoesItsOwnWay() {
        LatchkeyCronTrigger trigger = trigger("0 * * * * ?", UTC);
        trigger.getJobDataMap().put("region", "north");
        trigger.computeFirstFireTime(null);
        LatchkeyCronTrigger copy = (LatchkeyCronTrigger) trigger.clone();
        copy.triggered(null);
        copy.getJobDataMap().put("region", "south");
        assertThat(trigger.getNextFireTime()).isEqualTo(date("2026-11-29T12:01:00Z"));
        assertThat(trigger.getPreviousFireTime()).isNull();
        assertThat(trigger.getJobDataMap().getString("region")).isEqualTo("north");
        assertThat(copy.getPreviousFireTime()).isEqualTo(date("2026-11-29T12:01:00Z"));
    }

    @Test
    void datesHandedOutCannotChangeTheTrigger() {
        LatchkeyCronTrigger trigger = trigger("0 * * * * ?", UTC);
        Date first = trigger.computeFirstFireTime(null);
        assertThat(first).isNotNull();
        if (first != null) {
            first.setTime(0);
        }
        assertThat(trigger.getNextFireTime()).isEqualTo(date("2026-11-29T12:01:00Z"));
    }

    @Test
    void builderMakesAndCopiesTriggers() {
        LatchkeyCronTrigger trigger = (LatchkeyCronTrigger) TriggerBuilder.newTrigger()
                .withIdentity("t", "g")
                .forJob("j", "g")
                .withPriority(7)
                .startAt(date("2026-11-29T00:00:00.123Z"))
                .endAt(date("2026-12-31T00:00:00Z"))
                .withSchedule(LatchkeyCronTrigger.builder(CronSchedule.parse("0 0 9 ? * mon"), BERLIN))
                .build();
        trigger.setMisfireInstruction(CronTrigger.MISFIRE_INSTRUCTION_DO_NOTHING);
        CronTrigger copy = trigger.getTriggerBuilder().build();
        assertThat(copy).isInstanceOf(LatchkeyCronTrigger.class);
        assertThat(copy.getKey()).isEqualTo(TriggerKey.triggerKey("t", "g"));
        assertThat(copy.getCronExpression()).isEqualTo("0 0 9 ? * MON");
        assertThat(copy.getTimeZone()).isEqualTo(TimeZone.getTimeZone("Europe/Berlin"));
        assertThat(copy.getMisfireInstruction()).isEqualTo(CronTrigger.MISFIRE_INSTRUCTION_DO_NOTHING);
        assertThat(copy.getPriority()).isEqualTo(7);
        assertThat(copy.getStartTime()).isEqualTo(date("2026-11-29T00:00:00.123Z"));
        assertThat(copy.getEndTime()).isEqualTo(date("2026-12-31T00:00:00Z"));
        assertThat(copy.getExpressionSummary()).contains("0 0 9 ? * MON", "Europe/Berlin");
    }

    @Test
    void aCrontabsScheduleSurvivesSerialization() throws IOException, ClassNotFoundException {
        LatchkeyCronTrigger trigger =
                new LatchkeyCronTrigger(UnixCron.parse("30 2 13 * fri").schedule(), BERLIN);

        assertThat(copyOf(trigger).schedule()).isEqualTo(trigger.schedule());
    }

    @Test
    void survivesSerialization() throws IOException, ClassNotFoundException {
        LatchkeyCronTrigger trigger = trigger("0 30 2 * * ?", BERLIN);
        trigger.computeFirstFireTime(null);
        LatchkeyCronTrigger copy = copyOf(trigger);

        assertThat(copy.getNextFireTime()).isEqualTo(trigger.getNextFireTime());
        assertThat(copy.schedule()).isEqualTo(trigger.schedule());
        copy.triggered(null);
        assertThat(copy.getNextFireTime()).isEqualTo(date("2026-12-01T01:30:00Z"));
    }

    private static LatchkeyCronTrigger copyOf(LatchkeyCronTrigger trigger) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(trigger);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (LatchkeyCronTrigger) in.readObject();
        }
    }

    /** Excludes Saturdays and Sundays, and counts how often it is asked. */
    private static final class CountingWorkdays extends WeeklyCalendar {
        private static final long serialVersionUID = 1L;

        private int asked;

        @Override
        public boolean isTimeIncluded(long timeStamp) {
            asked++;
            return super.isTimeIncluded(timeStamp);
        }
    }

    private static LatchkeyCronTrigger trigger(String expression, ZoneId zone) {
        LatchkeyCronTrigger trigger =
                new LatchkeyCronTrigger(CronSchedule.parse(expression), zone, Clock.fixed(NOW, UTC));
        trigger.setKey(TriggerKey.triggerKey("t", "g"));
        trigger.setJobName("j");
        return trigger;
    }

    private static Date date(String instant) {
        return Date.from(Instant.parse(instant));
    }
}
