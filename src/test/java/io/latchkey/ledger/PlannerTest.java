package io.latchkey.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.jobs.Misfire;
import io.latchkey.jobs.Schedule;
import io.latchkey.jobs.TimeTable;
import io.latchkey.jobs.Unit;
import io.latchkey.jobs.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

class PlannerTest {
    private static final Instant START = Instant.parse("2026-11-29T12:00:00Z");
    private static final PlannerSettings SETTINGS = new PlannerSettings(Duration.ofSeconds(5), 1000);
    private static final TriggerKey TRIGGER = new TriggerKey("t", "g");
    private static final JobKey JOB = new JobKey("j", "g");

    /** Every kind of trigger, every instruction, gaps of 35 seconds and of 35 minutes: the same answer. */
    @ParameterizedTest
    @CsvSource({
        "cron,NOTHING,PT35S",
        "cron,NOTHING,PT35M",
        "cron,ONCE,PT35S",
        "cron,ONCE,PT35M",
        "cron,ALL,PT35S",
        "cron,ALL,PT35M",
        "simple,NOTHING,PT35S",
        "simple,NOTHING,PT35M",
        "simple,ONCE,PT35S",
        "simple,ONCE,PT35M",
        "simple,ALL,PT35S",
        "simple,ALL,PT35M",
        "calendar,NOTHING,PT35S",
        "calendar,NOTHING,PT35M",
        "calendar,ONCE,PT35S",
        "calendar,ONCE,PT35M",
        "calendar,ALL,PT35S",
        "calendar,ALL,PT35M"
    })
    void afterAGapTheInstructionAloneDecides(String kind, Misfire misfire, Duration gap) {
        TimeTable table = table(kind);
        Instant oldest = START.plusSeconds(10);
        Instant now = START.plus(gap);
        List<Instant> due = new ArrayList<>();
        for (Instant slot = oldest; !slot.isAfter(now); slot = slot.plusSeconds(10)) {
            due.add(slot);
        }
        Instant last = due.get(due.size() - 1);
        List<Plan> plans = plans(table, cursor(oldest), misfire, now, SETTINGS, Gap.MISSED);
        List<Instant> runs = runs(plans);
        Cursor end = plans.get(plans.size() - 1).after();
        assertThat(end.next()).isEqualTo(last.plusSeconds(10));
        switch (misfire) {
            case NOTHING -> {
                assertThat(runs).isEmpty();
                Skipped skip = plans.get(0).skip().orElseThrow();
                assertThat(skip.first()).isEqualTo(oldest);
                assertThat(skip.last()).isEqualTo(last);
                assertThat(skip.count()).isEqualTo(due.size());
            }
            case ONCE -> {
                assertThat(runs).containsExactly(last);
                assertThat(plans.get(0).run().orElseThrow().missed()).isEqualTo(new Missed(due.size(), oldest, true));
                assertThat(plans.get(0).skip().orElseThrow().count()).isEqualTo(due.size() - 1);
                assertThat(plans.get(0).skip().orElseThrow().last()).isEqualTo(last.minusSeconds(10));
            }
            case ALL -> {
                assertThat(runs).isEqualTo(due);
                assertThat(plans.get(0).run().orElseThrow().missed().catchUp()).isTrue();
            }
        }
    }

    @Test
    void withinTheThresholdEverySlotRunsLateWhateverTheInstruction() {
        TimeTable everySecond = Schedule.Simple.every(Duration.ofSeconds(1)).timeTable(START);
        for (Misfire misfire : Misfire.values()) {
            for (Gap gap : Gap.values()) {
                List<Plan> plans = plans(everySecond, cursor(START), misfire, START.plusSeconds(5), SETTINGS, gap);
                assertThat(runs(plans)).hasSize(6).startsWith(START);
                assertThat(plans).allSatisfy(p -> assertThat(p.skip()).isEmpty());
                assertThat(plans.get(0).run().orElseThrow().missed()).isEqualTo(Missed.NONE);
            }
        }
    }

    @Test
    void notDueIsNoPlan() {
        Plan plan =
                Planner.plan(table("simple"), cursor(START), Misfire.ALL, START.minusMillis(1), SETTINGS, Gap.MISSED);
        assertThat(plan.run()).isEmpty();
        assertThat(plan.skip()).isEmpty();
        assertThat(plan.after()).isEqualTo(cursor(START));
    }

    @Test
    void finishedStaysFinished() {
        Cursor finished = cursor(null);
        Plan plan = Planner.plan(table("simple"), finished, Misfire.ALL, START.plusSeconds(9999), SETTINGS, Gap.MISSED);
        assertThat(plan).isEqualTo(new Plan(Optional.empty(), Optional.empty(), finished));
    }

    @Test
    void missedOneShotRunsOnceAndIsFinished() {
        TimeTable oneShot = new Schedule.Simple(Window.OPEN, 0, Duration.ZERO).timeTable(START);
        Plan plan = Planner.plan(
                oneShot, cursor(START), Misfire.ONCE, START.plus(Duration.ofDays(1)), SETTINGS, Gap.MISSED);
        assertThat(plan.run().orElseThrow().instant()).isEqualTo(START);
        assertThat(plan.run().orElseThrow().missed()).isEqualTo(new Missed(1, START, true));
        assertThat(plan.skip()).isEmpty();
        assertThat(plan.after().finished()).isTrue();
    }

    @Test
    void waitingForAThreadIsNoMiss() {
        TimeTable oneShot = new Schedule.Simple(Window.OPEN, 0, Duration.ZERO).timeTable(START);
        for (Misfire misfire : Misfire.values()) {
            Plan plan = Planner.plan(oneShot, cursor(START), misfire, START.plusSeconds(80), SETTINGS, Gap.LATE);
            assertThat(plan.run()).contains(new Plan.Slot(START, Missed.NONE));
        }
    }

    @Test
    void pileUpRunsTheLatestAndCountsTheRest() {
        for (Misfire misfire : List.of(Misfire.NOTHING, Misfire.ONCE)) {
            Plan plan =
                    Planner.plan(table("simple"), cursor(START), misfire, START.plusSeconds(45), SETTINGS, Gap.LATE);
            assertThat(plan.run()).contains(new Plan.Slot(START.plusSeconds(40), new Missed(5, START, false)));
            assertThat(plan.skip().orElseThrow().count()).isEqualTo(4);
            assertThat(plan.skip().orElseThrow().last()).isEqualTo(START.plusSeconds(30));
        }
        List<Plan> all = plans(table("simple"), cursor(START), Misfire.ALL, START.plusSeconds(45), SETTINGS, Gap.LATE);
        assertThat(runs(all)).hasSize(5);
    }

    @Test
    void replayIsCappedAndTheOldestAreSkipped() {
        PlannerSettings three = new PlannerSettings(Duration.ofSeconds(5), 3);
        List<Plan> plans = plans(table("simple"), cursor(START), Misfire.ALL, START.plusSeconds(95), three, Gap.MISSED);
        assertThat(runs(plans)).containsExactly(START.plusSeconds(70), START.plusSeconds(80), START.plusSeconds(90));
        Skipped skip = plans.get(0).skip().orElseThrow();
        assertThat(skip.count()).isEqualTo(7);
        assertThat(skip.last()).isEqualTo(START.plusSeconds(60));
        assertThat(plans.subList(1, plans.size()))
                .allSatisfy(p -> assertThat(p.skip()).isEmpty());
    }

    @Test
    void yearsAreCountedNotWalked() {
        Counting table = new Counting(table("cron"));
        Plan plan = Planner.plan(
                table, cursor(START), Misfire.ONCE, START.plus(Duration.ofDays(3650)), SETTINGS, Gap.MISSED);
        assertThat(plan.run().orElseThrow().missed().count()).isEqualTo(3650L * 8640 + 1);
        assertThat(table.calls).isLessThan(20);
    }

    @Test
    void skippedRepeatsCountAgainstTheRepeatCount() {
        TimeTable sixRuns = new Schedule.Simple(Window.OPEN, 5, Duration.ofSeconds(10)).timeTable(START);
        Plan plan = Planner.plan(sixRuns, cursor(START), Misfire.NOTHING, START.plusSeconds(45), SETTINGS, Gap.MISSED);
        assertThat(plan.skip().orElseThrow().count()).isEqualTo(5);
        assertThat(plan.after().next()).isEqualTo(START.plusSeconds(50));
        Plan last = Planner.plan(sixRuns, plan.after(), Misfire.NOTHING, START.plusSeconds(51), SETTINGS, Gap.MISSED);
        assertThat(last.after().finished()).isTrue();
    }

    @Test
    void cursorSetByHandOffTheGridStillEnds() {
        Cursor off = cursor(START.plusSeconds(3));
        for (Misfire misfire : Misfire.values()) {
            List<Plan> plans = plans(table("simple"), off, misfire, START.plusSeconds(25), SETTINGS, Gap.MISSED);
            assertThat(plans.get(plans.size() - 1).after().next()).isEqualTo(START.plusSeconds(30));
        }
    }

    /** Against an oracle that walks every slot and knows nothing of latest and count. */
    @Test
    void agreesWithAnOracleThatWalks() {
        Random random = new Random(7);
        for (int i = 0; i < 4000; i++) {
            int interval = 1 + random.nextInt(20);
            int repeats = random.nextInt(4) == 0 ? random.nextInt(60) : Schedule.Simple.FOR_EVER;
            TimeTable table = new Schedule.Simple(Window.OPEN, repeats, Duration.ofSeconds(interval)).timeTable(START);
            int first = random.nextInt(5);
            Instant oldest = START.plusSeconds((long) interval * Math.min(first, repeats < 0 ? first : repeats));
            Instant now = START.plusSeconds(random.nextInt(600));
            PlannerSettings settings =
                    new PlannerSettings(Duration.ofSeconds(random.nextInt(30)), 1 + random.nextInt(15));
            Misfire misfire = List.of(Misfire.values()).get(random.nextInt(3));
            Gap gap = List.of(Gap.values()).get(random.nextInt(Gap.values().length));
            List<Instant> due = new ArrayList<>();
            for (Instant slot = oldest;
                    !slot.isAfter(now)
                            && (repeats < 0 || Duration.between(START, slot).toSeconds() <= (long) interval * repeats);
                    slot = slot.plusSeconds(interval)) {
                due.add(slot);
            }
            Plan plan = Planner.plan(table, cursor(oldest), misfire, now, settings, gap);
            String what = misfire + " " + gap + " every " + interval + " of " + due.size() + " " + settings;
            int skipped = oracleSkips(due, misfire, gap, now, settings);
            assertThat(plan.skip().map(Skipped::count).orElse(0L)).as(what).isEqualTo((long) skipped);
            if (skipped > 0) {
                assertThat(plan.skip().orElseThrow().first()).as(what).isEqualTo(due.get(0));
                assertThat(plan.skip().orElseThrow().last()).as(what).isEqualTo(due.get(skipped - 1));
            }
            assertThat(plan.run().map(Plan.Slot::instant))
                    .as(what)
                    .isEqualTo(skipped < due.size() ? Optional.of(due.get(skipped)) : Optional.empty());
        }
    }

    /** How many of the due slots do not run before the first that does. */
    private static int oracleSkips(List<Instant> due, Misfire misfire, Gap gap, Instant now, PlannerSettings settings) {
        boolean inTime = due.isEmpty() || Duration.between(due.get(0), now).compareTo(settings.misfireThreshold()) <= 0;
        if (inTime || (misfire == Misfire.ALL && gap == Gap.LATE)) {
            return 0;
        } else if (misfire == Misfire.ALL) {
            return Math.max(0, due.size() - settings.catchUpLimit());
        }
        return misfire == Misfire.NOTHING && gap != Gap.LATE ? due.size() : due.size() - 1;
    }

    private static List<Plan> plans(
            TimeTable table, Cursor from, Misfire misfire, Instant now, PlannerSettings settings, Gap gap) {
        List<Plan> out = new ArrayList<>();
        Cursor cursor = from;
        do {
            Plan plan = Planner.plan(table, cursor, misfire, now, settings, gap);
            out.add(plan);
            cursor = plan.after();
        } while (cursor.next() != null && !cursor.next().isAfter(now));
        return out;
    }

    private static List<Instant> runs(List<Plan> plans) {
        return plans.stream()
                .flatMap(p -> p.run().stream())
                .map(Plan.Slot::instant)
                .toList();
    }

    private static Cursor cursor(@Nullable Instant next) {
        return Cursor.first(TRIGGER, JOB, "f", new Cursor.Anchor(START, -1), next);
    }

    /** Every ten seconds, by each kind of schedule. */
    private static TimeTable table(String kind) {
        Schedule schedule = switch (kind) {
            case "cron" -> new Schedule.Cron("0/10 * * * * ?", ZoneOffset.UTC);
            case "simple" -> Schedule.Simple.every(Duration.ofSeconds(10));
            default -> new Schedule.CalendarInterval(Window.OPEN, 10, Unit.SECOND, ZoneId.of("Europe/Berlin"));
        };
        return schedule.timeTable(START);
    }

    private static final class Counting implements TimeTable {
        private final TimeTable real;
        private int calls;

        private Counting(TimeTable real) {
            this.real = real;
        }

        @Override
        public Optional<Instant> next(Instant after) {
            calls++;
            return real.next(after);
        }

        @Override
        public Optional<Instant> latest(Instant atOrBefore) {
            calls++;
            return real.latest(atOrBefore);
        }

        @Override
        public long count(Instant fromInclusive, Instant toInclusive) {
            calls++;
            return real.count(fromInclusive, toInclusive);
        }
    }
}
