package io.latchkey.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.latchkey.jobs.Misfire;
import io.latchkey.jobs.Schedule;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.ledger.Attempt;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.Missed;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.Owner;
import io.latchkey.ledger.RunInfo;
import io.latchkey.ledger.RunningRecord;
import io.latchkey.testing.LogCapture;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.quartz.JobKey;
import org.quartz.Scheduler;

/** Fires that earlier terms claimed and that have no outcome. */
class RecoveryTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String ALIVE = "0xa11fe";
    private static final String DEAD = "0xdead";

    private final Lab lab = new Lab();
    private final Instant slot = Instant.now().minusSeconds(30).truncatedTo(ChronoUnit.SECONDS);

    @AfterEach
    void close() {
        lab.close();
    }

    /** An hourly trigger that is not due, with a fire that another instance claimed half a minute ago. */
    private FireId claimedElsewhere(JobKey job, String incarnation, int attempt) {
        TriggerSpec spec = lab.addTrigger(
                job.getName(),
                job,
                Schedule.Simple.every(Duration.ofHours(1)),
                Misfire.ONCE,
                slot,
                slot.plusSeconds(3600));
        FireId id = new FireId(spec.key(), slot);
        lab.ledger.plant(record(id, job, incarnation, attempt));
        return id;
    }

    private static RunningRecord record(FireId id, JobKey job, String incarnation, int attempt) {
        return RunningRecord.claimed(
                id,
                job,
                new RunInfo(true, false, Missed.NONE, Map.of()),
                new Attempt(attempt, new Owner("elsewhere", incarnation, 7, 70), "nonce", id.slot()));
    }

    private Outcome.Kind outcomeOf(FireId id) {
        Outcome outcome = lab.ledger.outcomes().get(id);
        return outcome == null ? Outcome.Kind.SKIPPED : outcome.kind();
    }

    @Test
    void fireOfADeadOwnerRunsAgainIfTheJobAsksForIt() throws Exception {
        JobKey job = lab.addJob("recovers", TestJobs.Quick.class, true, Map.of());
        FireId id = claimedElsewhere(job, DEAD, 1);
        lab.lead();

        await().atMost(LONG).until(() -> outcomeOf(id) == Outcome.Kind.SUCCEEDED);
        assertThat(TestJobs.runs).singleElement().satisfies(run -> {
            assertThat(run.attempt()).isEqualTo(2);
            assertThat(run.recovering()).isTrue();
            assertThat(run.fireId()).isEqualTo(id.toString());
            assertThat(run.scheduled()).isEqualTo(slot);
            assertThat(run.data())
                    .containsEntry(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_NAME, "recovers")
                    .containsEntry(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_GROUP, "test")
                    .containsEntry(
                            Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_SCHEDULED_FIRETIME_IN_MILLISECONDS,
                            String.valueOf(slot.toEpochMilli()));
        });
    }

    @Test
    void fireOfADeadOwnerIsAbandonedOtherwise() throws Exception {
        FireId plain = claimedElsewhere(lab.addJob("plain", TestJobs.Quick.class), DEAD, 1);
        FireId worn = claimedElsewhere(lab.addJob("worn", TestJobs.Quick.class, true, Map.of()), DEAD, 3);
        lab.load();

        assertThat(outcomeOf(plain)).isEqualTo(Outcome.Kind.ABANDONED);
        assertThat(outcomeOf(worn)).isEqualTo(Outcome.Kind.ABANDONED);
        assertThat(String.valueOf(lab.ledger.outcomes().get(worn))).contains("scheduler.max-attempts");
    }

    /** Three instances, one after the other, went down under it; another job was beside it at the last. */
    @Test
    void theFireThatWasThereAtEachCrashIsNamedAndItsThirdAttemptWaits() throws Exception {
        JobKey killer = lab.addJob("killer", TestJobs.Quick.class, true, Map.of());
        FireId third = claimedElsewhere(killer, "0xa", 1);
        RunningRecord twice = record(third, killer, "0xa", 1)
                .retaken(new Attempt(2, new Owner("elsewhere", DEAD, 8, 80), "nonce", slot));
        lab.ledger.plant(twice);
        FireId beside = claimedElsewhere(lab.addJob("beside", TestJobs.Quick.class, true, Map.of()), DEAD, 1);
        Instant before = Instant.now();
        try (LogCapture log = LogCapture.of(Crashes.class)) {
            lab.lead();
            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .contains("2 fires in flight: job test.killer (" + third
                            + "; it was in flight at each of the last 2 crashes of its instance), job test.beside ("
                            + beside + ")");
        }
        await().atMost(LONG).until(() -> outcomeOf(third) == Outcome.Kind.SUCCEEDED);
        assertThat(outcomeOf(beside)).as("the second attempt is at once").isEqualTo(Outcome.Kind.SUCCEEDED);
        assertThat(Objects.requireNonNull(lab.ledger.outcomes().get(third)).at())
                .isAfterOrEqualTo(before.plusSeconds(4));
    }

    @Test
    void fireOfAJobThatIsConfiguredNoMoreIsAbandoned() throws Exception {
        FireId id = claimedElsewhere(lab.addJob("gone", TestJobs.Quick.class, true, Map.of()), DEAD, 1);
        lab.forgetConfiguration();
        lab.load();

        assertThat(outcomeOf(id)).isEqualTo(Outcome.Kind.ABANDONED);
    }

    @Test
    void fireGivenBackRunsAsTheSameAttempt() throws Exception {
        JobKey job = lab.addJob("given", TestJobs.Quick.class);
        FireId id = claimedElsewhere(job, DEAD, 1);
        lab.ledger.plant(record(id, job, DEAD, 1).released());
        lab.lead();

        await().atMost(LONG).until(() -> outcomeOf(id) == Outcome.Kind.SUCCEEDED);
        assertThat(TestJobs.runs).singleElement().satisfies(run -> {
            assertThat(run.attempt()).isEqualTo(1);
            assertThat(run.recovering()).isFalse();
        });
    }

    @Test
    void loneJobStaysBlockedWhileItsLastRunGoesOnElsewhere() throws Exception {
        lab.ledger.live.add(ALIVE);
        JobKey job = lab.addJob("count", TestJobs.Counting.class);
        FireId id = claimedElsewhere(job, ALIVE, 1);
        lab.addTrigger("often", job, Schedule.Simple.every(Duration.ofMillis(50)), Misfire.ONCE);
        JobKey tick = lab.addJob("tick", TestJobs.Quick.class);
        lab.addTrigger("tick", tick, Schedule.Simple.every(Duration.ofMillis(50)), Misfire.ONCE);
        lab.lead();

        await().atMost(LONG).until(() -> TestJobs.runsOf("tick").size() >= 10);
        assertThat(TestJobs.runsOf("count")).isEmpty();
        lab.ledger.data.put(job, Map.of("count", 41));
        lab.ledger.endElsewhere(id, Outcome.succeeded(Instant.now(), Duration.ofSeconds(1)));

        await().atMost(LONG).until(() -> !TestJobs.runsOf("count").isEmpty());
        assertThat(TestJobs.runsOf("count").get(0).data().getInt("count")).isEqualTo(41);
        await().atMost(LONG).until(() -> lab.ledger.data.get(job).get("count") instanceof Integer count && count >= 43);
    }

    @Test
    void fireIsDecidedWhenItsOwnerGoesDuringTheTerm() throws Exception {
        lab.ledger.live.add(ALIVE);
        FireId again = claimedElsewhere(lab.addJob("recovers", TestJobs.Lone.class, true, Map.of()), ALIVE, 1);
        FireId plain = claimedElsewhere(lab.addJob("plain", TestJobs.Quick.class), ALIVE, 1);
        lab.lead();
        await().pollDelay(Duration.ofMillis(700))
                .untilAsserted(() -> assertThat(lab.ledger.outcomes()).isEmpty());

        lab.ledger.live.remove(ALIVE);
        lab.scheduler().instanceGone("elsewhere", ALIVE);
        await().atMost(LONG).until(() -> outcomeOf(plain) == Outcome.Kind.ABANDONED);
        await().atMost(LONG).until(() -> outcomeOf(again) == Outcome.Kind.SUCCEEDED);
        assertThat(TestJobs.runsOf("recovers"))
                .singleElement()
                .satisfies(run -> assertThat(run.attempt()).isEqualTo(2));
    }

    @Test
    void fireStillRunningHereUnderALostSessionIsNotRunAgain() throws Exception {
        TestJobs.gate = new CountDownLatch(1);
        JobKey job = lab.addJob("lone", TestJobs.Lone.class, true, Map.of());
        TriggerSpec spec = lab.addTrigger("often", job, Schedule.Simple.every(Duration.ofMillis(100)), Misfire.ONCE);
        lab.lead();
        await().atMost(LONG).until(() -> TestJobs.runs.size() == 1);
        FireId first = FireId.parse(TestJobs.runs.get(0).fireId());
        lab.loseSession();

        JobKey tick = lab.addJob("tick", TestJobs.Quick.class);
        lab.lead();
        await().pollDelay(Duration.ofMillis(1200))
                .untilAsserted(() -> assertThat(TestJobs.runs).hasSize(1));
        TestJobs.gate.countDown();

        await().atMost(LONG).until(() -> TestJobs.runs.size() >= 3);
        assertThat(TestJobs.runs)
                .filteredOn(run -> run.fireId().equals(first.toString()))
                .hasSize(1);
        assertThat(TestJobs.mostOverlapping).hasValue(1);
        assertThat(outcomeOf(first)).isEqualTo(Outcome.Kind.ABANDONED);
        assertThat(spec.job()).isNotEqualTo(tick);
    }

    @Test
    void claimOfThisSessionWhoseAnswerNeverCameRunsAsTheSameAttempt() throws Exception {
        JobKey job = lab.addJob("unanswered", TestJobs.Quick.class);
        FireId id = claimedElsewhere(job, lab.session.incarnation(), 1);
        lab.lead();

        await().atMost(LONG).until(() -> outcomeOf(id) == Outcome.Kind.SUCCEEDED);
        assertThat(TestJobs.runs).singleElement().satisfies(run -> {
            assertThat(run.attempt()).isEqualTo(1);
            assertThat(run.recovering()).isFalse();
        });
    }

    @Test
    void fireGivenBackByAnotherIsNotRunBesideItsEarlierAttemptHere() throws Exception {
        FireId first = loneRunLeftFromALostSession();
        JobKey job = Lab.job("lone");
        lab.ledger.plant(record(first, job, DEAD, 2).released());
        lab.lead();

        awaitTicks();
        assertThat(TestJobs.runsOf("lone")).hasSize(1);
        TestJobs.gate.countDown();
        await().atMost(LONG).until(() -> TestJobs.runsOf("lone").size() >= 3);
        assertThat(TestJobs.runsOf("lone"))
                .filteredOn(run -> run.fireId().equals(first.toString()))
                .hasSize(1);
        assertThat(TestJobs.mostOverlapping).hasValue(1);
    }

    @Test
    void loneJobWaitsForARunLeftHereThoughAnotherLeaderHasDecidedIt() throws Exception {
        FireId first = loneRunLeftFromALostSession();
        lab.ledger.endElsewhere(first, Outcome.succeeded(Instant.now(), Duration.ofSeconds(1)));
        lab.lead();

        awaitTicks();
        assertThat(TestJobs.runsOf("lone")).hasSize(1);
        TestJobs.gate.countDown();
        await().atMost(LONG).until(() -> TestJobs.runsOf("lone").size() >= 3);
        assertThat(TestJobs.mostOverlapping).hasValue(1);
    }

    /** The first run of a job that may not overlap waits at the gate; its session is lost, the next term not taken yet. */
    private FireId loneRunLeftFromALostSession() throws Exception {
        TestJobs.gate = new CountDownLatch(1);
        JobKey job = lab.addJob("lone", TestJobs.Lone.class, true, Map.of());
        lab.addTrigger("often", job, Schedule.Simple.every(Duration.ofMillis(100)), Misfire.ONCE);
        JobKey tick = lab.addJob("tick", TestJobs.Quick.class);
        lab.addTrigger("tick", tick, Schedule.Simple.every(Duration.ofMillis(50)), Misfire.ONCE);
        lab.lead();
        await().atMost(LONG).until(() -> TestJobs.runsOf("lone").size() == 1);
        lab.loseSession();
        return FireId.parse(TestJobs.runsOf("lone").get(0).fireId());
    }

    /** The new term has run for long enough to have started what it wrongly would. */
    private static void awaitTicks() {
        int already = TestJobs.runsOf("tick").size();
        await().atMost(LONG).until(() -> TestJobs.runsOf("tick").size() >= already + 25);
    }
}
