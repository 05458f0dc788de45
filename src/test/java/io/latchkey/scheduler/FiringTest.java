package io.latchkey.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.latchkey.jobs.Misfire;
import io.latchkey.jobs.Schedule;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.jobs.Window;
import io.latchkey.ledger.ClaimResult;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.Held;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.RunningRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.quartz.JobKey;

/** What may start, what may not, and that slots keep coming. */
class FiringTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Lab lab = new Lab();

    @AfterEach
    void close() {
        lab.close();
    }

    private static Schedule once(Instant at) {
        return new Schedule.Simple(new Window(at, Duration.ZERO, null), 0, Duration.ZERO);
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }

    @Test
    void gateClosedDuringTheClaimStartsNothingHoweverOftenTried() throws Exception {
        JobKey job = lab.addJob("one", TestJobs.Quick.class);
        lab.addTrigger("once", job, once(now().plusSeconds(1)), Misfire.ONCE);
        int tries = 200;
        for (int i = 0; i < tries; i++) {
            AtomicBoolean asked = new AtomicBoolean();
            lab.ledger.beforeClaim = () -> {
                lab.term().gate().close("at the worst moment");
                asked.set(true);
            };
            lab.lead();
            await().atMost(LONG).pollInterval(Duration.ofMillis(2)).untilTrue(asked);
            lab.stop();
            assertThat(lab.scheduler().awaitIdle(LONG)).isTrue();
            assertThat(TestJobs.runs).isEmpty();
        }
        assertThat(lab.ledger.records.values())
                .extracting(held -> held.record().state())
                .containsExactly(RunningRecord.State.RELEASED);

        lab.ledger.beforeClaim = () -> {};
        lab.lead();
        await().atMost(LONG)
                .until(() -> lab.ledger.ended(Outcome.Kind.SUCCEEDED).size() == 1);
        assertThat(TestJobs.runs).singleElement().satisfies(run -> {
            assertThat(run.attempt()).isEqualTo(1);
            assertThat(run.recovering()).isFalse();
        });
    }

    @Test
    void nothingStartsBeforeTheGateOpens() throws Exception {
        JobKey job = lab.addJob("tick", TestJobs.Quick.class);
        lab.addTrigger("due", job, Schedule.Simple.every(Duration.ofMillis(10)), Misfire.ONCE);
        lab.load();
        AtomicBoolean claimed = new AtomicBoolean();
        lab.ledger.beforeClaim = () -> claimed.set(true);

        // Started by force, with the gate closed: the store alone keeps it from firing.
        lab.scheduler().opened(lab.term());
        await().pollDelay(Duration.ofMillis(300))
                .untilAsserted(() -> assertThat(claimed).isFalse());
        assertThat(TestJobs.runs).isEmpty();
    }

    @Test
    void claimRefusedAtTheFenceEndsTheTermAndRunsNothing() throws Exception {
        JobKey job = lab.addJob("tick", TestJobs.Quick.class);
        lab.addTrigger("due", job, Schedule.Simple.every(Duration.ofMillis(10)), Misfire.ONCE);
        lab.ledger.onClaim = request -> new ClaimResult.Fenced(request.id(), "another leads");
        lab.lead();

        await().atMost(LONG).until(() -> !lab.overs.isEmpty());
        assertThat(lab.term().gate().isClosedForGood()).isTrue();
        assertThat(TestJobs.runs).isEmpty();
        assertThat(lab.overs.get(0)).contains("another leads");
    }

    @Test
    void unknownClaimRunsNothingAndEndsTheTerm() throws Exception {
        JobKey job = lab.addJob("tick", TestJobs.Quick.class);
        lab.addTrigger("due", job, Schedule.Simple.every(Duration.ofMillis(10)), Misfire.ONCE);
        lab.ledger.onClaim = request -> new ClaimResult.GivenUp(request.id(), "no answer");
        lab.lead();

        await().atMost(LONG).until(() -> !lab.overs.isEmpty());
        assertThat(TestJobs.runs).isEmpty();
    }

    @Test
    void cursorConflictDropsThatFireAlone() throws Exception {
        JobKey job = lab.addJob("tick", TestJobs.Quick.class);
        TriggerSpec other = lab.addTrigger("other", job, Schedule.Simple.every(Duration.ofMillis(100)), Misfire.ONCE);
        TriggerSpec hit = lab.addTrigger("hit", job, Schedule.Simple.every(Duration.ofMillis(100)), Misfire.ONCE);
        List<FireId> dropped = new ArrayList<>();
        lab.ledger.onClaim = request -> {
            if (dropped.isEmpty() && request.id().trigger().equals(hit.key())) {
                dropped.add(request.id());
                return new ClaimResult.CursorConflict(request.id(), null, null);
            }
            return null;
        };
        lab.lead();

        await().atMost(LONG)
                .until(() -> succeeded(hit).size() >= 2 && succeeded(other).size() >= 3);
        assertThat(succeeded(hit))
                .doesNotContain(dropped.get(0))
                .allMatch(fire -> fire.slot().isAfter(dropped.get(0).slot()));
        assertThat(lab.ledger.skips()).singleElement().satisfies(skip -> {
            assertThat(skip.first()).isEqualTo(dropped.get(0).slot());
            assertThat(skip.why()).contains("deleted by hand");
        });
        assertThat(lab.overs).isEmpty();
    }

    @Test
    void cursorSetByHandIsFollowed() throws Exception {
        JobKey job = lab.addJob("tick", TestJobs.Quick.class);
        TriggerSpec hit = lab.addTrigger("hit", job, Schedule.Simple.every(Duration.ofMillis(100)), Misfire.ONCE);
        AtomicBoolean first = new AtomicBoolean(true);
        Instant byHand = now().plusSeconds(3600);
        lab.ledger.onClaim = request -> {
            if (first.getAndSet(false)) {
                Cursor there = lab.ledger.cursor(hit.key()).movedTo(byHand);
                return new ClaimResult.CursorConflict(request.id(), there, null);
            }
            return null;
        };
        lab.lead();

        await().atMost(LONG).until(() -> !first.get());
        await().pollDelay(Duration.ofMillis(500))
                .untilAsserted(() -> assertThat(TestJobs.runs).isEmpty());
        assertThat(lab.ledger.skips())
                .singleElement()
                .satisfies(skip -> assertThat(skip.why()).contains("changed by hand"));
    }

    @Test
    void refusedByALimitIsTriedAgain() throws Exception {
        JobKey job = lab.addJob("one", TestJobs.Quick.class);
        lab.addTrigger("once", job, once(now().plusMillis(200)), Misfire.ONCE);
        AtomicBoolean first = new AtomicBoolean(true);
        lab.ledger.onClaim = request ->
                first.getAndSet(false) ? new ClaimResult.Refused(request.id(), "too many running records") : null;
        lab.lead();

        await().atMost(LONG)
                .until(() -> lab.ledger.ended(Outcome.Kind.SUCCEEDED).size() == 1);
        assertThat(lab.overs).isEmpty();
    }

    @Test
    void ledgerThatThrowsEndsTheTermButNotTheSchedulerThread() throws Exception {
        JobKey job = lab.addJob("tick", TestJobs.Quick.class);
        lab.addTrigger("due", job, Schedule.Simple.every(Duration.ofMillis(50)), Misfire.ONCE);
        lab.ledger.beforeClaim = () -> {
            throw new AssertionError("a bug in the ledger");
        };
        lab.lead();
        await().atMost(LONG).until(() -> !lab.overs.isEmpty());
        assertThat(lab.scheduler().unhealthy()).isEmpty();
        assertThat(TestJobs.runs).isEmpty();

        lab.ledger.beforeClaim = () -> {};
        lab.stop();
        lab.lead();
        await().atMost(LONG).until(() -> TestJobs.runs.size() >= 2);
    }

    @Test
    void moreDueThanThreadsAllRunUnderTheirOwnTimes() throws Exception {
        lab.settings = lab.settings.withThreads(5);
        Instant at = now().plusMillis(500);
        for (int i = 0; i < 200; i++) {
            JobKey job = lab.addJob("slow-" + i, Slow.class);
            Misfire misfire =
                    List.of(Misfire.ONCE, Misfire.NOTHING, Misfire.ALL).get(i % 3);
            lab.addTrigger("at-" + i, job, once(at), misfire);
        }
        lab.lead();

        await().atMost(Duration.ofSeconds(60))
                .until(() -> lab.ledger.ended(Outcome.Kind.SUCCEEDED).size() == 200);
        assertThat(TestJobs.runs).hasSize(200).allMatch(run -> run.scheduled().equals(at));
        assertThat(TestJobs.runs).extracting(TestJobs.Run::job).doesNotHaveDuplicates();
        assertThat(lab.ledger.skips()).isEmpty();
    }

    /** Takes 100 ms. */
    public static class Slow extends TestJobs.Quick {
        @Override
        public void execute(org.quartz.JobExecutionContext context) {
            super.execute(context);
            java.util.concurrent.locks.LockSupport.parkNanos(
                    Duration.ofMillis(100).toNanos());
        }
    }

    @Test
    void whatPilesUpBehindItsOwnRunIsFoldedIntoTheLatestSlot() throws Exception {
        lab.settings = Settings.misfireThreshold(lab.settings, Duration.ofMillis(500));
        TestJobs.gate = new java.util.concurrent.CountDownLatch(1);
        JobKey job = lab.addJob("lone", TestJobs.Lone.class);
        TriggerSpec spec = lab.addTrigger("often", job, Schedule.Simple.every(Duration.ofMillis(100)), Misfire.NOTHING);
        lab.lead();
        await().atMost(LONG).until(() -> TestJobs.runs.size() == 1);
        Instant until = now().plusSeconds(2);
        await().atMost(LONG).until(() -> now().isAfter(until));
        TestJobs.gate.countDown();
        await().atMost(LONG).until(() -> TestJobs.runs.size() >= 3);

        TestJobs.Run second = TestJobs.runs.get(1);
        assertThat(second.catchUp()).isFalse();
        assertThat(second.scheduled()).isAfter(until.minusMillis(300));
        assertThat(lab.ledger.skips()).isNotEmpty();
        assertThat(lab.ledger.skips().get(0).trigger()).isEqualTo(spec.key());
        assertThat(lab.ledger.skips().get(0).count())
                .isEqualTo(second.missed() - 1)
                .isGreaterThan(10);
        assertThat(TestJobs.mostOverlapping).hasValue(1);
    }

    @Test
    void completedOneShotStaysCompletedInTheNextTerm() throws Exception {
        JobKey job = lab.addJob("one", TestJobs.Quick.class);
        TriggerSpec spec = lab.addTrigger("once", job, once(now().plusMillis(100)), Misfire.ALL);
        lab.lead();
        await().atMost(LONG)
                .until(() -> lab.ledger.ended(Outcome.Kind.SUCCEEDED).size() == 1);
        lab.stop();
        assertThat(lab.ledger.cursor(spec.key()).finished()).isTrue();

        JobKey tick = lab.addJob("tick", TestJobs.Quick.class);
        lab.addTrigger("due", tick, Schedule.Simple.every(Duration.ofMillis(50)), Misfire.ONCE);
        lab.reload();
        lab.lead();
        await().atMost(LONG).until(() -> TestJobs.runsOf("tick").size() >= 3);
        assertThat(TestJobs.runsOf("one")).hasSize(1);
    }

    private List<FireId> succeeded(TriggerSpec spec) {
        return lab.ledger.ended(Outcome.Kind.SUCCEEDED).stream()
                .filter(fire -> fire.trigger().equals(spec.key()))
                .toList();
    }

    @Test
    void recordsOfAllClaimsHaveAnOutcomeOnceIdle() throws Exception {
        JobKey job = lab.addJob("tick", TestJobs.Quick.class);
        for (int i = 0; i < 20; i++) {
            lab.addTrigger("t" + i, job, Schedule.Simple.every(Duration.ofMillis(20)), Misfire.ALL);
        }
        lab.lead();
        await().atMost(LONG).until(() -> TestJobs.runs.size() > 200);
        lab.stop();
        assertThat(lab.scheduler().awaitIdle(LONG)).isTrue();

        Map<Boolean, List<Held>> byEnd = lab.ledger.records.values().stream()
                .collect(java.util.stream.Collectors.partitioningBy(
                        held -> held.record().state() != RunningRecord.State.CLAIMED));
        assertThat(byEnd.get(false)).isEmpty();
        assertThat(lab.ledger.ended(Outcome.Kind.SUCCEEDED)).hasSameSizeAs(TestJobs.runs);
    }
}
