package io.latchkey.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.quartz.DateBuilder.IntervalUnit;
import org.quartz.JobKey;
import org.quartz.TriggerKey;
import org.quartz.impl.triggers.CalendarIntervalTriggerImpl;
import org.quartz.spi.OperableTrigger;

/** Every schedule's time table is what the Quartz trigger built of it fires, forwards, backwards and counted. */
@Timeout(60)
class TimeTableTest {
    private static final Instant SEEN = Instant.parse("2026-03-20T10:00:00.250Z");
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final List<ZoneId> ZONES = List.of(
            ZoneOffset.UTC,
            BERLIN,
            ZoneId.of("America/New_York"),
            ZoneId.of("Australia/Lord_Howe"),
            ZoneId.of("Asia/Kathmandu"));
    private static final List<Unit> UNITS = List.of(Unit.values());
    private static final List<String> CRONS = List.of(
            "0/10 * * * * ?",
            "0 30 2 * * ?",
            "0 0 9 L * ?",
            "15,45 0/7 8-20 ? * MON-FRI",
            "0 0 12 29 2 ?",
            "0 0 6 1 1 ? 2027");

    @Test
    void tableAndTriggerAgreeForAnySchedule() {
        for (int seed = 0; seed < 600; seed++) {
            Schedule schedule = any(new Random(seed));
            Instant start = schedule.anchor(SEEN);
            List<Instant> fires = fires(Triggers.build(spec(schedule), SEEN), 40);
            TimeTable table = schedule.timeTable(start);

            List<Instant> walked = new ArrayList<>();
            Instant at = SEEN.minusNanos(1);
            for (Instant next = table.next(at).orElse(null);
                    next != null && walked.size() < 40;
                    next = table.next(next).orElse(null)) {
                walked.add(next);
            }
            assertThat(walked).as("seed %s: %s", seed, schedule).isEqualTo(fires);
            checkBackwardsAndCounted(table, fires, "seed " + seed + ": " + schedule);
        }
    }

    private static void checkBackwardsAndCounted(TimeTable table, List<Instant> fires, String what) {
        for (int i = 0; i < fires.size(); i++) {
            Instant slot = fires.get(i);
            assertThat(table.latest(slot)).as(what).contains(slot);
            if (i > 0) {
                assertThat(table.latest(slot.minusMillis(1))).as(what).contains(fires.get(i - 1));
            }
            assertThat(table.count(fires.get(0), slot)).as(what).isEqualTo(i + 1);
            assertThat(table.count(fires.get(0).plusMillis(1), slot.minusMillis(1)))
                    .as(what)
                    .isEqualTo(Math.max(0, i - 1));
        }
    }

    /** Where Quartz's own calendar-interval trigger is right, which is where nothing can drift or shift, it is an oracle. */
    @Test
    void quartzAgreesWhereItIsRight() throws Exception {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Unit unit = UNITS.get(random.nextInt(5));
            int interval = 1 + random.nextInt(50);
            Instant start = SEEN.plusMillis(random.nextLong(-400L * 86_400_000, 400L * 86_400_000));
            CalendarIntervalTriggerImpl quartz = new CalendarIntervalTriggerImpl();
            quartz.setStartTime(Date.from(start));
            quartz.setTimeZone(TimeZone.getTimeZone("UTC"));
            quartz.setRepeatInterval(interval);
            quartz.setRepeatIntervalUnit(IntervalUnit.valueOf(unit.name()));
            TimeTable table =
                    new Schedule.CalendarInterval(Window.from(start), interval, unit, ZoneOffset.UTC).timeTable(start);
            Instant after = start.plusSeconds(random.nextLong(100L * 86_400));
            assertThat(table.next(after))
                    .as("seed %s: every %s %s from %s after %s", seed, interval, unit, start, after)
                    .contains(quartz.getFireTimeAfter(Date.from(after)).toInstant());
        }
    }

    @Test
    void monthlyFromTheLastDayKeepsTheLastDay() {
        Schedule monthly = new Schedule.CalendarInterval(
                Window.from(Instant.parse("2027-01-31T09:00:00Z")), 1, Unit.MONTH, ZoneOffset.UTC);

        assertThat(fires(Triggers.build(spec(monthly), SEEN), 14))
                .contains(Instant.parse("2027-02-28T09:00:00Z"), Instant.parse("2028-02-29T09:00:00Z"))
                .filteredOn(slot ->
                        slot.toString().startsWith("2027-03") || slot.toString().startsWith("2027-12"))
                .containsExactly(Instant.parse("2027-03-31T09:00:00Z"), Instant.parse("2027-12-31T09:00:00Z"));
    }

    @Test
    void dailyReturnsToItsTimeAfterTheGapDay() {
        Schedule daily =
                new Schedule.CalendarInterval(Window.from(Instant.parse("2026-03-27T01:30:00Z")), 1, Unit.DAY, BERLIN);

        assertThat(fires(Triggers.build(spec(daily), SEEN), 4))
                .containsExactly(
                        Instant.parse("2026-03-27T01:30:00Z"),
                        Instant.parse("2026-03-28T01:30:00Z"),
                        // 02:30 does not exist: 03:30 in summer time
                        Instant.parse("2026-03-29T01:30:00Z"),
                        Instant.parse("2026-03-30T00:30:00Z"));
    }

    @Test
    void dailyInTheDoubledHourFiresOnceTheSecondTime() {
        Schedule daily =
                new Schedule.CalendarInterval(Window.from(Instant.parse("2026-10-24T00:30:00Z")), 1, Unit.DAY, BERLIN);

        assertThat(fires(Triggers.build(spec(daily), SEEN), 3))
                .containsExactly(
                        Instant.parse("2026-10-24T00:30:00Z"),
                        Instant.parse("2026-10-25T01:30:00Z"),
                        Instant.parse("2026-10-26T01:30:00Z"));
    }

    @Test
    void skippedDayIsNoSecondSlotAtTheSameInstant() {
        Instant start = Instant.parse("2011-12-27T12:00:00Z");
        TimeTable daily = new Schedule.CalendarInterval(Window.from(start), 1, Unit.DAY, ZoneId.of("Pacific/Apia"))
                .timeTable(start);

        List<Instant> slots = new ArrayList<>();
        for (Instant at = start; slots.size() < 6; at = daily.next(at).orElseThrow()) {
            slots.add(at);
        }
        assertThat(slots).doesNotHaveDuplicates();
        assertThat(daily.count(start, slots.get(5))).isEqualTo(6);
    }

    @Test
    void ancientStartsAreCountedAtOnce() {
        Instant start = Instant.parse("1970-01-31T00:00:00Z");
        for (Unit unit : Unit.values()) {
            TimeTable table = new Schedule.CalendarInterval(Window.from(start), 1, unit, BERLIN).timeTable(start);
            assertThat(table.count(start, SEEN)).as(unit.name()).isPositive();
            assertThat(table.next(SEEN).orElseThrow()).isAfter(SEEN);
            assertThat(table.latest(SEEN).orElseThrow()).isBeforeOrEqualTo(SEEN);
        }
    }

    @Test
    void distantTimesEndAndDoNotHang() {
        Instant far = Instant.parse("9999-12-31T23:59:59Z");
        TimeTable yearly = new Schedule.CalendarInterval(Window.from(SEEN), 1_000_000, Unit.YEAR, BERLIN)
                .timeTable(SEEN.minusMillis(250));

        assertThat(yearly.next(far)).isEmpty();
        assertThat(yearly.next(SEEN)).isEmpty();
        assertThat(yearly.latest(Instant.MAX)).isPresent();
    }

    @Test
    void newCronDoesNotFireASlotJustBeforeItWasSeen() {
        TriggerSpec each = spec(new Schedule.Cron("0 0 10 * * ?", ZoneOffset.UTC));

        assertThat(each.firstFire(SEEN)).contains(Instant.parse("2026-03-21T10:00:00Z"));
    }

    @Test
    void unanchoredIntervalStartsWhenFirstSeenAndDelayedOneLater() {
        assertThat(spec(Schedule.Simple.every(Duration.ofMinutes(1))).firstFire(SEEN))
                .contains(SEEN);
        TriggerSpec delayed =
                spec(new Schedule.Simple(Window.after(Duration.ofSeconds(30)), -1, Duration.ofMinutes(1)));
        assertThat(delayed.firstFire(SEEN)).contains(SEEN.plusSeconds(30));
    }

    @Test
    void pastStartKeepsItsPhaseAndMissesNothing() {
        Schedule hourly =
                new Schedule.Simple(Window.from(Instant.parse("2026-01-01T00:07:00Z")), -1, Duration.ofHours(1));

        assertThat(spec(hourly).firstFire(SEEN)).contains(Instant.parse("2026-03-20T10:07:00Z"));
    }

    @Test
    void restoredTriggerGoesOnFromItsCursor() {
        TriggerSpec five = spec(new Schedule.Simple(Window.OPEN, 5, Duration.ofSeconds(10)));
        OperableTrigger trigger = Triggers.restore(five, SEEN, SEEN.plusSeconds(30), SEEN.plusSeconds(40), 4);

        assertThat(fires(trigger, 10)).containsExactly(SEEN.plusSeconds(40), SEEN.plusSeconds(50));
    }

    @Test
    void fingerprintIsOfTheScheduleAlone() {
        Schedule schedule = new Schedule.Cron("0 0 6 * * ?", ZoneOffset.UTC);
        TriggerSpec spec = spec(schedule);
        TriggerSpec renamed = new TriggerSpec(
                new TriggerKey("other"), spec.job(), schedule, 9, Map.of("a", "b"), "text", Misfire.ALL);

        assertThat(renamed.fingerprint()).isEqualTo(spec.fingerprint());
        assertThat(spec(new Schedule.Cron(" 0  0 6 * * ? ", ZoneOffset.UTC)).fingerprint())
                .isEqualTo(spec.fingerprint());
        assertThat(spec(new Schedule.Cron("0 0 6 * * ?", BERLIN)).fingerprint()).isNotEqualTo(spec.fingerprint());
        assertThat(spec(new Schedule.Cron("0 0 7 * * ?", ZoneOffset.UTC)).fingerprint())
                .isNotEqualTo(spec.fingerprint());
    }

    static TriggerSpec spec(Schedule schedule) {
        return new TriggerSpec(new TriggerKey("t"), new JobKey("j"), schedule, 5, Map.of(), null, Misfire.ONCE);
    }

    /** What the trigger fires if it is asked to again and again, as Quartz's store does. */
    static List<Instant> fires(OperableTrigger trigger, int most) {
        List<Instant> fires = new ArrayList<>();
        for (Date next = trigger.getNextFireTime();
                next != null && fires.size() < most;
                next = trigger.getNextFireTime()) {
            fires.add(next.toInstant());
            trigger.triggered(null);
        }
        return fires;
    }

    private static Schedule any(Random random) {
        ZoneId zone = ZONES.get(random.nextInt(ZONES.size()));
        Instant start =
                random.nextBoolean() ? null : SEEN.plusMillis(random.nextLong(-400L * 86_400_000, 400L * 86_400_000));
        Instant from = start == null ? SEEN : start;
        Instant end = random.nextInt(3) > 0 ? null : from.plusMillis(1 + random.nextLong(500L * 86_400_000));
        Window window = Window.between(start, end);
        return switch (random.nextInt(3)) {
            case 0 -> new Schedule.Cron(CRONS.get(random.nextInt(CRONS.size())), zone, window);
            case 1 -> simple(random, window);
            default ->
                new Schedule.CalendarInterval(
                        window, 1 + random.nextInt(9), UNITS.get(random.nextInt(UNITS.size())), zone);
        };
    }

    private static Schedule simple(Random random, Window window) {
        Duration interval = Duration.ofMillis(1 + random.nextLong(3 * 86_400_000L));
        return new Schedule.Simple(window, random.nextInt(-1, 30), interval, random.nextBoolean());
    }
}
