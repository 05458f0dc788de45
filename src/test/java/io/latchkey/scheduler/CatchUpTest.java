package io.latchkey.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.latchkey.conf.CatchUp;
import io.latchkey.jobs.Misfire;
import io.latchkey.jobs.Schedule;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.jobs.Unit;
import io.latchkey.jobs.Window;
import io.latchkey.ledger.OnHold;
import io.latchkey.ledger.Paused;
import io.latchkey.ledger.Request;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.quartz.JobKey;

/** What runs of what came due while nobody led, by planted cursors. */
class CatchUpTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final ZoneId UTC = ZoneId.of("UTC");

    private final Lab lab = new Lab();
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    @AfterEach
    void close() {
        lab.close();
    }

    /** Slots each ten seconds, the oldest undecided one {@code gap} ago, the next one in at least some seconds. */
    private Instant gap(String name, Schedule schedule, Misfire misfire, Duration gap) {
        JobKey job = lab.addJob(name, TestJobs.Quick.class);
        Instant start = now.minus(gap);
        lab.addTrigger(name, job, schedule, misfire, start, start);
        return start;
    }

    @ParameterizedTest
    @ValueSource(longs = {35, 35 * 60 + 5})
    void instructionAloneDecidesWhateverTheLengthOfTheGap(long seconds) throws Exception {
        lab.settings = Settings.catchUp(lab.settings, 1000, 1000);
        Duration gap = Duration.ofSeconds(seconds);
        Schedule every10s = Schedule.Simple.every(Duration.ofSeconds(10));
        Instant start = gap("once", every10s, Misfire.ONCE, gap);
        gap("nothing", every10s, Misfire.NOTHING, gap);
        gap("all", every10s, Misfire.ALL, gap);
        // The same slots by the other kinds of schedule.
        Schedule calendar = new Schedule.CalendarInterval(Window.OPEN, 10, Unit.SECOND, UTC);
        gap("calendar-once", calendar, Misfire.ONCE, gap);
        gap("calendar-nothing", calendar, Misfire.NOTHING, gap);
        lab.lead();

        List<Instant> slots = new ArrayList<>();
        for (Instant slot = start; !slot.isAfter(now); slot = slot.plusSeconds(10)) {
            slots.add(slot);
        }
        await().atMost(LONG)
                .until(() -> TestJobs.runsOf("all").size() >= slots.size()
                        && !TestJobs.runsOf("once").isEmpty());
        lab.stop();

        assertThat(TestJobs.runsOf("all").stream().filter(TestJobs.Run::catchUp).map(TestJobs.Run::scheduled))
                .containsExactlyInAnyOrderElementsOf(slots);
        for (String once : List.of("once", "calendar-once")) {
            assertThat(TestJobs.runsOf(once))
                    .filteredOn(TestJobs.Run::catchUp)
                    .singleElement()
                    .satisfies(run -> {
                        assertThat(run.scheduled()).isEqualTo(slots.get(slots.size() - 1));
                        assertThat(run.missed()).isEqualTo(slots.size());
                    });
        }
        for (String nothing : List.of("nothing", "calendar-nothing")) {
            assertThat(TestJobs.runsOf(nothing))
                    .noneMatch(run -> !run.scheduled().isAfter(now));
            assertThat(lab.ledger.skips())
                    .filteredOn(skip -> skip.trigger().getName().equals(nothing))
                    .singleElement()
                    .satisfies(skip -> assertThat(skip.count()).isEqualTo(slots.size()));
        }
    }

    @Test
    void cronCatchesUpOnItsMissedSlot() throws Exception {
        JobKey job = lab.addJob("hourly", TestJobs.Quick.class);
        Instant hour = now.truncatedTo(ChronoUnit.HOURS);
        Schedule cron = new Schedule.Cron("0 0 * * * ?", UTC);
        lab.addTrigger("hourly", job, cron, Misfire.ONCE, hour.minusSeconds(86_400), hour.minusSeconds(2 * 3600));
        lab.lead();

        await().atMost(LONG).until(() -> !TestJobs.runs.isEmpty());
        assertThat(TestJobs.runs.get(0).scheduled()).isEqualTo(hour);
    }

    @Test
    void withinTheThresholdEverySlotRunsLateWhateverTheInstruction() throws Exception {
        lab.settings = Settings.misfireThreshold(lab.settings, Duration.ofSeconds(30));
        Schedule every4s = Schedule.Simple.every(Duration.ofSeconds(4));
        Instant start = gap("nothing", every4s, Misfire.NOTHING, Duration.ofSeconds(13));
        lab.lead();

        await().atMost(LONG).until(() -> TestJobs.runs.size() >= 4);
        assertThat(TestJobs.runs.stream().map(TestJobs.Run::scheduled).limit(4))
                .containsExactlyInAnyOrder(start, start.plusSeconds(4), start.plusSeconds(8), start.plusSeconds(12));
        assertThat(TestJobs.runs).noneMatch(TestJobs.Run::catchUp);
    }

    @Test
    void nothingRunsAtTakeoverThatWasNotMissed() throws Exception {
        JobKey job = lab.addJob("hourly", TestJobs.Quick.class);
        lab.addTrigger(
                "hourly",
                job,
                Schedule.Simple.every(Duration.ofHours(1)),
                Misfire.ONCE,
                now.minus(Duration.ofMinutes(90)),
                now.plus(Duration.ofMinutes(30)));
        JobKey ended = lab.addJob("ended", TestJobs.Quick.class);
        Window past = new Window(now.minusSeconds(7200), Duration.ZERO, now.minusSeconds(3600));
        lab.addTrigger("ended", ended, new Schedule.Simple(past, -1, Duration.ofMinutes(1)), Misfire.ALL);
        JobKey tick = lab.addJob("tick", TestJobs.Quick.class);
        lab.addTrigger("tick", tick, Schedule.Simple.every(Duration.ofMillis(50)), Misfire.ONCE);
        lab.lead();

        await().atMost(LONG).until(() -> TestJobs.runsOf("tick").size() >= 10);
        assertThat(TestJobs.runsOf("hourly")).isEmpty();
        assertThat(TestJobs.runsOf("ended")).isEmpty();
    }

    @Test
    void replaysAreCappedAndPacedOverAllTriggers() throws Exception {
        lab.settings = Settings.catchUp(lab.settings, 20, 20);
        Schedule every10s = Schedule.Simple.every(Duration.ofSeconds(10));
        gap("all-1", every10s, Misfire.ALL, Duration.ofSeconds(1005));
        gap("all-2", every10s, Misfire.ALL, Duration.ofSeconds(1005));
        long from = System.nanoTime();
        lab.lead();

        await().atMost(LONG)
                .until(() ->
                        TestJobs.runs.stream().filter(TestJobs.Run::catchUp).count() >= 40);
        Duration took = Duration.ofNanos(System.nanoTime() - from);
        assertThat(took).isGreaterThan(Duration.ofMillis(1900));
        assertThat(lab.ledger.skips())
                .hasSize(2)
                .allSatisfy(skip -> assertThat(skip.count()).isEqualTo(101 - 20));
        assertThat(TestJobs.runs.stream().filter(TestJobs.Run::catchUp)).hasSize(40);
    }

    @Test
    void limitOfNoReplaysSkipsAllThatWasMissed() throws Exception {
        lab.settings = Settings.catchUp(lab.settings, 0, 20);
        gap("all", Schedule.Simple.every(Duration.ofSeconds(10)), Misfire.ALL, Duration.ofSeconds(35));
        lab.load();
        assertThat(lab.ledger.skips())
                .singleElement()
                .satisfies(skip -> assertThat(skip.count()).isEqualTo(4));
    }

    @Test
    void heldCatchUpWaitsForAResume() throws Exception {
        lab.settings = lab.settings.withCatchUp(CatchUp.HOLD);
        Schedule every10s = Schedule.Simple.every(Duration.ofSeconds(10));
        gap("once", every10s, Misfire.ONCE, Duration.ofSeconds(35));
        JobKey tick = lab.addJob("tick", TestJobs.Quick.class);
        lab.addTrigger("tick", tick, Schedule.Simple.every(Duration.ofMillis(50)), Misfire.ONCE);
        lab.lead();
        await().atMost(LONG).until(() -> TestJobs.runsOf("tick").size() >= 10);
        assertThat(TestJobs.runsOf("once")).isEmpty();

        lab.ledger.submit(resume(null));
        await().atMost(LONG).until(() -> TestJobs.runsOf("once").size() == 1);
        assertThat(TestJobs.runsOf("once").get(0).catchUp()).isTrue();
    }

    /** The other instance has no hold set: what is on hold stays so all the same. */
    @Test
    void holdIsOnRecordAndOutlastsTheLeaderUntilItIsResumed() throws Exception {
        lab.settings = lab.settings.withCatchUp(CatchUp.HOLD);
        Schedule every10s = Schedule.Simple.every(Duration.ofSeconds(10));
        gap("once", every10s, Misfire.ONCE, Duration.ofSeconds(35));
        gap("none", every10s, Misfire.NOTHING, Duration.ofSeconds(35));
        JobKey tick = lab.addJob("tick", TestJobs.Quick.class);
        lab.addTrigger("tick", tick, Schedule.Simple.every(Duration.ofMillis(50)), Misfire.ONCE);
        lab.lead();
        OnHold once = Objects.requireNonNull(lab.ledger.paused.held().get(Lab.trigger("once")));
        assertThat(once.job()).isEqualTo(Lab.job("once"));
        assertThat(once.waiting().slots()).isEqualTo(4);
        assertThat(once.waiting().runs()).isEqualTo(1);
        assertThat(once.waiting().skips()).isEqualTo(3);
        assertThat(once.waiting().last()).isEqualTo(once.waiting().first().plusSeconds(30));
        lab.stop();

        lab.settings = lab.settings.withCatchUp(CatchUp.RUN);
        lab.reload();
        lab.lead();
        await().atMost(LONG).until(() -> TestJobs.runsOf("tick").size() >= 10);
        assertThat(TestJobs.runsOf("once")).isEmpty();
        assertThat(lab.ledger.skips()).isEmpty();
        assertThat(Objects.requireNonNull(lab.ledger.paused.held().get(Lab.trigger("once")))
                        .since())
                .isEqualTo(once.since());

        lab.ledger.submit(resume(Lab.job("once")));
        await().atMost(LONG).until(() -> TestJobs.runsOf("once").size() == 1);
        assertThat(lab.ledger.paused.held()).containsOnlyKeys(Lab.trigger("none"));
        assertThat(TestJobs.runsOf("once").get(0).missed()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void whatAnOperatorHasLetGoIsNotHeldAgainAtTheNextChangeOfLeaderButAfterAnOutageItIs() throws Exception {
        lab.settings = lab.settings.withCatchUp(CatchUp.HOLD);
        Schedule every10s = Schedule.Simple.every(Duration.ofSeconds(10));
        gap("once", every10s, Misfire.ONCE, Duration.ofSeconds(35));
        gap("kept", every10s, Misfire.ONCE, Duration.ofSeconds(35));
        lab.lead();
        lab.ledger.submit(resume(Lab.job("once")));
        await().atMost(LONG).until(() -> TestJobs.runsOf("once").size() == 1);
        lab.stop();
        // Another instance, whose first lead this is, after a change of leader that took half a minute.
        missed("once", Duration.ofSeconds(30));
        lab.reload();
        lab.lead();
        await().atMost(LONG).until(() -> TestJobs.runsOf("once").size() == 2);
        assertThat(lab.ledger.paused.held()).containsOnlyKeys(Lab.trigger("kept"));
        lab.stop();

        lab.ledger.paused = new Paused(
                false,
                Set.of(),
                Set.of(),
                lab.ledger.paused.held(),
                Instant.now().minusSeconds(3600));
        missed("once", Duration.ofMinutes(10));
        lab.reload();
        lab.load();
        assertThat(lab.ledger.paused.held()).containsOnlyKeys(Lab.trigger("kept"), Lab.trigger("once"));
    }

    @Test
    void whatWasMissedWhilePausedIsSaidToBe() throws Exception {
        Schedule every10s = Schedule.Simple.every(Duration.ofSeconds(10));
        gap("paused", every10s, Misfire.NOTHING, Duration.ofSeconds(35));
        gap("led-by-nobody", every10s, Misfire.NOTHING, Duration.ofSeconds(35));
        lab.ledger.paused = new Paused(false, Set.of(Lab.job("paused")), Set.of());
        lab.lead();
        lab.ledger.submit(resume(Lab.job("paused")));
        await().atMost(LONG).until(() -> lab.ledger.skips().size() == 2);
        assertThat(lab.ledger.skips())
                .extracting(skip -> skip.trigger().getName() + ": " + skip.why())
                .containsExactly(
                        "led-by-nobody: missed; the trigger's instruction is to do nothing",
                        "paused: missed while paused; the trigger's instruction is to do nothing");
    }

    private void missed(String name, Duration gap) {
        lab.ledger.cursors.computeIfPresent(
                Lab.trigger(name),
                (key, cursor) ->
                        cursor.movedTo(Objects.requireNonNull(cursor.next()).minus(gap)));
    }

    private static Request resume(@org.jspecify.annotations.Nullable JobKey job) {
        return new Request("", Request.Kind.RESUME, job, null, Map.of(), "an operator", Instant.now());
    }

    @Test
    void implicitlyAnchoredTriggerKeepsItsPhaseAcrossTerms() throws Exception {
        JobKey job = lab.addJob("tick", TestJobs.Quick.class);
        TriggerSpec spec = lab.addTrigger("tick", job, Schedule.Simple.every(Duration.ofMillis(300)), Misfire.ONCE);
        lab.lead();
        await().atMost(LONG).until(() -> TestJobs.runs.size() >= 2);
        lab.stop();
        lab.lead();
        await().atMost(LONG).until(() -> TestJobs.runs.size() >= 5);

        long phase = TestJobs.runs.get(0).scheduled().toEpochMilli() % 300;
        assertThat(TestJobs.runs).allMatch(run -> run.scheduled().toEpochMilli() % 300 == phase);
        assertThat(TestJobs.runs).extracting(TestJobs.Run::scheduled).doesNotHaveDuplicates();
        assertThat(lab.ledger.cursor(spec.key()).place().timesFired()).isGreaterThanOrEqualTo(5);
    }
}
