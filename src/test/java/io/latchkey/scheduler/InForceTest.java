package io.latchkey.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.latchkey.jobs.JobCatalog;
import io.latchkey.jobs.Misfire;
import io.latchkey.jobs.Schedule;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.ledger.Attempt;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.Missed;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.Owner;
import io.latchkey.ledger.Paused;
import io.latchkey.ledger.Request;
import io.latchkey.ledger.RunInfo;
import io.latchkey.ledger.RunningRecord;
import io.latchkey.testing.LogCapture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.quartz.JobKey;

/** What becomes of triggers, jobs and runs when the configuration changes while a term lasts. */
class InForceTest {
    private static final Schedule HOURLY = Schedule.Simple.every(Duration.ofHours(1));

    private final Lab lab = new Lab();

    @AfterEach
    void close() {
        lab.close();
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(5));
    }

    private static Schedule every(long millis) {
        return Schedule.Simple.every(Duration.ofMillis(millis));
    }

    private static int runs(String job) {
        return TestJobs.runsOf(job).size();
    }

    @Test
    void whatHasNotChangedFiresOnWithoutAGapOrADouble() throws Exception {
        lab.addTrigger("steady", lab.addJob("steady", TestJobs.Quick.class), every(20), Misfire.ALL);
        lab.lead();
        patiently().until(() -> runs("steady") >= 3);
        for (int i = 0; i < 20; i++) {
            lab.addTrigger("more" + i, lab.addJob("more" + i, TestJobs.Quick.class), every(50), Misfire.ONCE);
            lab.change();
        }
        patiently().until(() -> runs("more19") >= 2);
        lab.stop();
        assertThat(lab.scheduler().awaitIdle(Duration.ofSeconds(20))).isTrue();
        List<Instant> slots = TestJobs.runsOf("steady").stream()
                .map(TestJobs.Run::scheduled)
                .sorted()
                .toList();
        assertThat(slots).doesNotHaveDuplicates();
        for (int i = 1; i < slots.size(); i++) {
            assertThat(Duration.between(slots.get(i - 1), slots.get(i))).isEqualTo(Duration.ofMillis(20));
        }
        assertThat(TestJobs.runsOf("steady")).noneMatch(TestJobs.Run::catchUp);
        assertThat(lab.ledger.skips()).isEmpty();
    }

    @Test
    void aSlotThatWaitsForAThreadIsLateAndNoMiss() throws Exception {
        lab.settings = lab.settings.withThreads(1);
        TestJobs.gate = new CountDownLatch(1);
        JobKey hog = lab.addJob("hog", TestJobs.Waiting.class);
        lab.addTrigger("hog", hog, HOURLY, Misfire.NOTHING);
        lab.addTrigger("late", lab.addJob("late", TestJobs.Quick.class), every(100), Misfire.NOTHING);
        lab.settings = Settings.misfireThreshold(lab.settings, Duration.ofMillis(300));
        lab.lead();
        patiently().until(() -> runs("hog") == 1);
        Instant blocked = Instant.now();
        patiently().until(() -> Instant.now().isAfter(blocked.plusMillis(800)));
        int before = runs("late");
        lab.addJob("more", TestJobs.Quick.class);
        lab.change();
        TestJobs.gate.countDown();
        patiently().until(() -> runs("late") > before);
        assertThat(TestJobs.runsOf("late").get(before).scheduled()).isBefore(blocked.plusMillis(800));
        assertThat(TestJobs.runsOf("late").get(before).catchUp()).isFalse();
    }

    @Test
    void anotherScheduleStartsAnewAndANewTriggerHasItsCursorBeforeItFires() throws Exception {
        JobKey job = lab.addJob("job", TestJobs.Quick.class);
        lab.addTrigger("t", job, every(100), Misfire.ALL);
        lab.lead();
        patiently().until(() -> runs("job") >= 2);
        lab.forgetConfiguration();
        lab.addJob("job", TestJobs.Quick.class);
        lab.addTrigger("t", job, HOURLY, Misfire.ALL);
        lab.addTrigger(
                "new", lab.addJob("other", TestJobs.Quick.class), new Schedule.Cron("0 0 0 1 1 ?", UTC), Misfire.ALL);
        lab.change();
        Cursor cursor = lab.ledger.cursor(Lab.trigger("t"));
        assertThat(cursor.fingerprint()).isEqualTo(Lab.spec("t", job, HOURLY).fingerprint());
        assertThat(lab.ledger.cursor(Lab.trigger("new")).next()).isAfter(Instant.now());
        patiently()
                .until(() -> TestJobs.runsOf("job").stream()
                        .anyMatch(run -> run.scheduled().equals(cursor.next())
                                || !run.scheduled().isBefore(cursor.anchor().start())));
    }

    private static final java.time.ZoneId UTC = java.time.ZoneId.of("UTC");

    @Test
    void aRemovedJobStopsItsRunFinishesAndItComesBackWithItsPlace() throws Exception {
        TestJobs.gate = new CountDownLatch(1);
        JobKey job = lab.addJob("job", TestJobs.Lone.class);
        lab.addTrigger("t", job, every(50), Misfire.ONCE);
        lab.lead();
        patiently().until(() -> runs("job") == 1);
        lab.forgetConfiguration();
        lab.addJob("other", TestJobs.Quick.class);
        lab.change();
        Cursor left = lab.ledger.cursor(Lab.trigger("t"));
        assertThat(left.orphanedSince()).isNotNull();
        assertThat(lab.ledger.ended(Outcome.Kind.INTERRUPTED)).isEmpty();

        // Back while its run is still under way: no second one beside it.
        lab.addJob("job", TestJobs.Lone.class);
        lab.addTrigger("t", job, every(50), Misfire.ONCE);
        lab.change();
        assertThat(lab.ledger.cursor(Lab.trigger("t")).anchor()).isEqualTo(left.anchor());
        assertThat(runs("job")).isEqualTo(1);
        TestJobs.gate.countDown();
        patiently().until(() -> runs("job") >= 3);
        assertThat(TestJobs.mostOverlapping).hasValue(1);
        assertThat(lab.ledger.ended(Outcome.Kind.SUCCEEDED)).isNotEmpty();
    }

    @Test
    void otherDataAndAnotherClassAreSeenByTheNextRun() throws Exception {
        JobKey job = lab.addJob("job", TestJobs.Quick.class, false, Map.of("greeting", "hello"));
        lab.addTrigger("t", job, every(50), Misfire.ALL);
        lab.lead();
        patiently().until(() -> runs("job") >= 1);
        Cursor.Anchor anchor = lab.ledger.cursor(Lab.trigger("t")).anchor();
        lab.forgetConfiguration();
        lab.addJob("job", TestJobs.Counting.class, false, Map.of("greeting", "good evening"));
        lab.addTrigger("t", job, every(50), Misfire.ALL);
        lab.change();
        patiently()
                .until(() -> TestJobs.runsOf("job").stream()
                        .anyMatch(run -> "good evening".equals(run.data().getString("greeting"))
                                && run.data().containsKey("count")));
        assertThat(lab.ledger.cursor(Lab.trigger("t")).anchor()).isEqualTo(anchor);
    }

    @Test
    void persistedDataOutlastAChangeOfTheFilesData() throws Exception {
        JobKey job = lab.addJob("job", TestJobs.Counting.class, false, Map.of("a", "1"));
        lab.addTrigger("t", job, every(10), Misfire.ALL);
        lab.lead();
        for (int i = 0; i < 10; i++) {
            int before = runs("job");
            patiently().until(() -> runs("job") > before + 2);
            lab.forgetConfiguration();
            lab.addJob("job", TestJobs.Counting.class, false, Map.of("a", "1", "new" + i, "x"));
            lab.addTrigger("t", job, every(10), Misfire.ALL);
            lab.change();
        }
        patiently()
                .until(() -> TestJobs.runsOf("job").stream()
                        .anyMatch(run -> run.data().containsKey("new9")));
        lab.stop();
        assertThat(lab.scheduler().awaitIdle(Duration.ofSeconds(20))).isTrue();
        // Each run saw what the one before it left: no count is there twice, none is left out.
        List<Integer> counts = TestJobs.runsOf("job").stream()
                .map(run -> run.data().containsKey("count") ? run.data().getInt("count") : 0)
                .toList();
        for (int i = 0; i < counts.size(); i++) {
            assertThat(counts.get(i)).isEqualTo(i);
        }
    }

    @Test
    void aJobThatMayNotOverlapAnyMoreWaitsForTheRunsItHas() throws Exception {
        TestJobs.gate = new CountDownLatch(1);
        JobKey job = lab.addJob("job", TestJobs.Waiting.class);
        lab.addTrigger("t", job, every(50), Misfire.ALL);
        lab.lead();
        patiently().until(() -> runs("job") >= 3);
        lab.forgetConfiguration();
        lab.addJob("job", TestJobs.Lone.class);
        lab.addTrigger("t", job, every(50), Misfire.ALL);
        lab.change();
        int before = runs("job");
        int overlapped = TestJobs.mostOverlapping.get();
        TestJobs.mostOverlapping.set(0);
        Instant changed = Instant.now();
        patiently().until(() -> Instant.now().isAfter(changed.plusMillis(300)));
        assertThat(runs("job")).isEqualTo(before);
        assertThat(overlapped).isGreaterThan(1);
        TestJobs.gate.countDown();
        patiently().until(() -> runs("job") >= before + 3);
        assertThat(TestJobs.mostOverlapping).hasValueLessThanOrEqualTo(1);
    }

    @Test
    void aJobThatMayOverlapNowIsNotHeldUpByTheRunItHas() throws Exception {
        TestJobs.gate = new CountDownLatch(1);
        JobKey job = lab.addJob("job", TestJobs.Lone.class);
        lab.addTrigger("t", job, every(50), Misfire.ALL);
        lab.lead();
        patiently().until(() -> runs("job") == 1);
        lab.forgetConfiguration();
        lab.addJob("job", TestJobs.Waiting.class);
        lab.addTrigger("t", job, every(50), Misfire.ALL);
        lab.change();
        patiently().until(() -> runs("job") >= 3);
    }

    @Test
    void pausesHold() throws Exception {
        JobKey job = lab.addJob("job", TestJobs.Quick.class);
        lab.addTrigger("t", job, every(50), Misfire.ONCE);
        lab.ledger.paused = new Paused(false, Set.of(job), Set.of());
        lab.lead();
        lab.addTrigger("more", job, every(50), Misfire.ONCE);
        lab.addTrigger("other", lab.addJob("other", TestJobs.Quick.class), every(50), Misfire.ONCE);
        lab.change();
        patiently().until(() -> runs("other") >= 3);
        assertThat(runs("job")).isZero();
    }

    @Test
    void aRequestForAJobThatIsGoneIsDroppedAndItsReloadEndsNothing() throws Exception {
        lab.settings = lab.settings.withThreads(1);
        TestJobs.gate = new CountDownLatch(1);
        JobKey hog = lab.addJob("hog", TestJobs.Waiting.class);
        lab.addTrigger("hog", hog, HOURLY, Misfire.ONCE);
        JobKey asked = lab.addJob("asked", TestJobs.Quick.class);
        lab.lead();
        patiently().until(() -> runs("hog") == 1);
        lab.ledger.submit(Request.trigger(asked, Map.of(), "the test", Instant.now()));
        lab.forgetConfiguration();
        lab.addTrigger("hog", lab.addJob("hog", TestJobs.Waiting.class), HOURLY, Misfire.ONCE);
        lab.change();
        patiently().until(() -> lab.ledger.requests.isEmpty());
        TestJobs.gate.countDown();
        patiently().until(() -> lab.ledger.ended(Outcome.Kind.SUCCEEDED).size() == 1);
        assertThat(runs("asked")).isZero();
        assertThat(lab.overs).isEmpty();
    }

    @Test
    void aJobThatWasBlockedWhenItWentIsNotWhenItComesBack() throws Exception {
        JobKey job = lab.addJob("job", TestJobs.Lone.class);
        TriggerSpec spec = lab.addTrigger("t", job, every(50), Misfire.ONCE);
        lab.ledger.live.add("0xa11fe");
        FireId id = new FireId(spec.key(), Instant.now().minusSeconds(30));
        lab.ledger.plant(RunningRecord.claimed(
                id,
                job,
                new RunInfo(false, true, Missed.NONE, Map.of()),
                new Attempt(1, new Owner("elsewhere", "0xa11fe", 7, 70), "nonce", id.slot())));
        lab.lead();
        lab.forgetConfiguration();
        lab.addTrigger("other", lab.addJob("other", TestJobs.Quick.class), every(50), Misfire.ONCE);
        lab.change();
        patiently().until(() -> runs("other") >= 2);
        lab.ledger.endElsewhere(id, Outcome.succeeded(Instant.now(), Duration.ZERO));
        try (LogCapture logs = LogCapture.of(Recovery.class)) {
            int before = runs("other");
            // The keeper looks twice a second.
            patiently().until(() -> runs("other") >= before + 25);
            lab.addJob("job", TestJobs.Lone.class);
            lab.addTrigger("t", job, every(50), Misfire.ONCE);
            lab.change();
            patiently().until(() -> runs("job") >= 1);
            assertThat(logs.messages()).noneMatch(line -> line.contains("stays blocked"));
        }
    }

    @Test
    void aTriggerThatMovesToAnotherJobKeepsItsPlace() throws Exception {
        JobKey job = lab.addJob("job", TestJobs.Quick.class);
        lab.addTrigger("t", job, every(50), Misfire.ALL);
        lab.lead();
        patiently().until(() -> runs("job") >= 2);
        lab.forgetConfiguration();
        lab.addTrigger("t", lab.addJob("renamed", TestJobs.Quick.class), every(50), Misfire.ALL);
        lab.change();
        patiently().until(() -> runs("renamed") >= 2);
        lab.stop();
        assertThat(lab.scheduler().awaitIdle(Duration.ofSeconds(20))).isTrue();
        List<Instant> slots =
                TestJobs.runs.stream().map(TestJobs.Run::scheduled).sorted().toList();
        assertThat(slots).doesNotHaveDuplicates();
        for (int i = 1; i < slots.size(); i++) {
            assertThat(Duration.between(slots.get(i - 1), slots.get(i))).isEqualTo(Duration.ofMillis(50));
        }
        assertThat(TestJobs.runs).noneMatch(TestJobs.Run::catchUp);
    }

    @Test
    void aChangeThatComesBeforeTheTermIsOpenedIsTakenUp() throws Exception {
        lab.addJob("job", TestJobs.Quick.class);
        lab.load();
        lab.addTrigger("t", Lab.job("job"), every(20), Misfire.ALL);
        JobCatalog next = lab.catalog();
        lab.scheduler().use(next);
        lab.term().gate().open();
        lab.scheduler().opened(lab.term());
        patiently().until(() -> runs("job") >= 2);
        assertThat(lab.scheduler().inForce()).isSameAs(next);
    }
}
