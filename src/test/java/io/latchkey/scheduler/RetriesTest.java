package io.latchkey.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.latchkey.conf.SchedulerSettings;
import io.latchkey.jobs.FireContext;
import io.latchkey.jobs.Misfire;
import io.latchkey.jobs.Schedule;
import io.latchkey.jobs.Window;
import io.latchkey.ledger.Attempt;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.Held;
import io.latchkey.ledger.Missed;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.Outcome.Kind;
import io.latchkey.ledger.Owner;
import io.latchkey.ledger.Paused;
import io.latchkey.ledger.Request;
import io.latchkey.ledger.Retry;
import io.latchkey.ledger.RunInfo;
import io.latchkey.ledger.RunningRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.JobKey;

/** Timeouts and retries as one leader, or one after the other, sees to them. */
class RetriesTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Lab lab = new Lab();

    /** Fails as often as its data say, leaving output each time; then succeeds. */
    @DisallowConcurrentExecution
    public static class Failing implements Job {
        static final AtomicInteger failures = new AtomicInteger();

        @Override
        public void execute(JobExecutionContext context) throws JobExecutionException {
            TestJobs.note(context);
            FireContext fire = FireContext.of(context);
            try {
                TestJobs.gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new JobExecutionException(e);
            }
            fire.output("attempt " + fire.attempt() + "\u0007");
            if (failures.getAndDecrement() > 0) {
                throw new JobExecutionException("as told");
            }
        }
    }

    /** Does not react to interrupts until it is let go. */
    @DisallowConcurrentExecution
    public static class Deaf implements Job {
        static volatile CountDownLatch letGo = new CountDownLatch(1);
        static final List<Duration> remaining = new CopyOnWriteArrayList<>();
        static final AtomicInteger interrupts = new AtomicInteger();

        @Override
        public void execute(JobExecutionContext context) {
            TestJobs.note(context);
            remaining.add(FireContext.of(context).timeRemaining());
            while (true) {
                try {
                    letGo.await();
                    return;
                } catch (InterruptedException e) {
                    // Deaf, as told.
                    interrupts.incrementAndGet();
                }
            }
        }
    }

    @AfterEach
    void close() {
        Deaf.letGo.countDown();
        lab.close();
        Failing.failures.set(0);
        Deaf.letGo = new CountDownLatch(1);
        Deaf.remaining.clear();
        Deaf.interrupts.set(0);
    }

    private JobKey failing(int failures, String... data) {
        Failing.failures.set(failures);
        return lab.addJob("failing", Failing.class, false, data(data));
    }

    private static Map<String, @Nullable String> data(String... data) {
        Map<String, @Nullable String> map = new java.util.HashMap<>();
        for (int i = 0; i < data.length; i += 2) {
            map.put("latchkey." + data[i], data[i + 1]);
        }
        return map;
    }

    private static Request pause(Request.Kind kind, JobKey job) {
        return new Request("", kind, job, null, Map.of(), "test", Instant.now());
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }

    /** A fire due now, alone. */
    private FireId once(JobKey job) {
        Instant start = now();
        lab.addTrigger(
                "once",
                job,
                new Schedule.Simple(new Window(start, Duration.ZERO, null), 0, Duration.ZERO),
                Misfire.ONCE,
                start,
                start);
        return new FireId(Lab.trigger("once"), start);
    }

    private RunningRecord record(FireId id) {
        Held held = lab.ledger.records.get(id);
        if (held == null) {
            throw new AssertionError("no record of " + id);
        }
        return held.record();
    }

    private @Nullable Kind outcomeOf(FireId id) {
        Held held = lab.ledger.records.get(id);
        Outcome outcome = held == null ? null : held.record().outcome();
        return outcome == null ? null : outcome.kind();
    }

    private static RunningRecord waiting(FireId id, JobKey job, Retry retry) {
        return RunningRecord.claimed(
                        id,
                        job,
                        new RunInfo(false, true, Missed.NONE, Map.of()),
                        new Attempt(1, new Owner("elsewhere", "0xdead", 7, 70), "nonce", id.slot()))
                .again(Outcome.failed(Kind.FAILED, id.slot(), Duration.ZERO, "boom"), retry);
    }

    @Test
    void failedFireIsTriedAgainUnderTheSameIdUntilItSucceeds() throws Exception {
        FireId id = once(failing(2, "retries", "3", "retry-backoff", "50ms"));
        lab.lead();

        await().atMost(LONG).until(() -> outcomeOf(id) == Kind.SUCCEEDED);
        assertThat(TestJobs.runs).extracting(TestJobs.Run::attempt).containsExactly(1, 2, 3);
        assertThat(TestJobs.runs).extracting(TestJobs.Run::fireId).containsOnly(id.toString());
        assertThat(TestJobs.runs).extracting(TestJobs.Run::scheduled).containsOnly(id.slot());
        assertThat(TestJobs.runs).extracting(TestJobs.Run::recovering).containsOnly(false);
        assertThat(record(id).earlier())
                .extracting(attempt -> attempt.ended() == null
                        ? "-"
                        : attempt.ended().error() + " / " + attempt.ended().output())
                .containsExactly("as told / attempt 1", "as told / attempt 2");
        assertThat(record(id).outcome()).extracting(Outcome::output).isEqualTo("attempt 3");
    }

    @Test
    void fireWhoseRetriesAreUsedUpHasFailed() throws Exception {
        FireId id = once(failing(9, "retries", "1", "retry-backoff", "10ms"));
        lab.lead();

        await().atMost(LONG).until(() -> outcomeOf(id) == Kind.FAILED);
        assertThat(TestJobs.runs).extracting(TestJobs.Run::attempt).containsExactly(1, 2);
    }

    @Test
    void waitingRetryIsMadeByTheNextLeaderAndNotBeforeItsTime() throws Exception {
        FireId id = once(failing(1, "retries", "1", "retry-backoff", "2s"));
        lab.lead();
        await().atMost(LONG)
                .until(() ->
                        lab.ledger.records.containsKey(id) && record(id).retry().isPresent());
        Instant due = record(id).retry().orElseThrow().notBefore();
        lab.loseSession();
        lab.lead();

        await().atMost(LONG).until(() -> outcomeOf(id) == Kind.SUCCEEDED);
        assertThat(TestJobs.runs).extracting(TestJobs.Run::attempt).containsExactly(1, 2);
        assertThat(record(id).current().claimed()).isAfterOrEqualTo(due);
    }

    @Test
    void failureOfARunThatOutlastsItsTermIsTriedAgainByTheOneThatLeadsByThen() throws Exception {
        FireId id = once(failing(1, "retries", "1", "retry-backoff", "10ms"));
        TestJobs.gate = new CountDownLatch(1);
        lab.lead();
        await().atMost(LONG).until(() -> !TestJobs.runs.isEmpty());
        lab.stop();
        lab.lead();
        TestJobs.gate.countDown();

        await().atMost(LONG).until(() -> outcomeOf(id) == Kind.SUCCEEDED);
        assertThat(TestJobs.runs).extracting(TestJobs.Run::attempt).containsExactly(1, 2);
        assertThat(record(id).current().owner().term()).isEqualTo(lab.term().number());
    }

    @Test
    void retryOfAJobThatLeftTheConfigurationIsAbandoned() throws Exception {
        FireId id = once(failing(0));
        lab.forgetConfiguration();
        lab.ledger.plant(waiting(id, Lab.job("failing"), Retry.at(now())));
        lab.lead();

        await().atMost(LONG).until(() -> outcomeOf(id) == Kind.ABANDONED);
        assertThat(record(id).outcome()).extracting(Outcome::error).asString().contains("not in the configuration");
        assertThat(TestJobs.runs).isEmpty();
    }

    @Test
    void retryOfAJobThatAChangeRemovesIsAbandonedAtOnce() throws Exception {
        FireId id = once(failing(1, "retries", "1", "retry-backoff", "1h"));
        lab.lead();
        await().atMost(LONG)
                .until(() ->
                        lab.ledger.records.containsKey(id) && record(id).retry().isPresent());
        lab.forgetConfiguration();
        lab.addJob("other", TestJobs.Quick.class);
        lab.change();

        await().atMost(LONG).until(() -> outcomeOf(id) == Kind.ABANDONED);
        assertThat(record(id).outcome()).extracting(Outcome::error).asString().contains("not in the configuration");
    }

    @Test
    void fireWhoseRetryWouldComeAfterItsTriggersNextFireHasFailed() throws Exception {
        JobKey job = failing(1, "retries", "3", "retry-backoff", "1h");
        lab.addTrigger("hourly", job, Schedule.Simple.every(Duration.ofMinutes(30)), Misfire.ONCE);
        lab.lead();

        await().atMost(LONG).until(() -> !lab.ledger.ended(Kind.FAILED).isEmpty());
        FireId id = lab.ledger.ended(Kind.FAILED).get(0);
        assertThat(record(id).outcome())
                .extracting(Outcome::error)
                .asString()
                .endsWith("not tried again, for the next fire of its trigger is due at "
                        + id.slot().plus(Duration.ofMinutes(30)));
        assertThat(TestJobs.runs).hasSize(1);
    }

    @Test
    void retryThatTheNextFireHasOvertakenIsAbandoned() throws Exception {
        JobKey job = failing(0);
        FireId id = new FireId(Lab.trigger("gone"), now().minusSeconds(60));
        lab.ledger.plant(waiting(id, job, new Retry(now().minusSeconds(50), now().minusSeconds(1))));
        lab.lead();

        await().atMost(LONG).until(() -> outcomeOf(id) == Kind.ABANDONED);
        assertThat(record(id).outcome()).extracting(Outcome::error).asString().contains("next fire of its trigger");
        assertThat(TestJobs.runs).isEmpty();
    }

    @Test
    void retryOfAJobThatWasPausedMeanwhileWaitsUntilItIsResumed() throws Exception {
        JobKey job = failing(1, "retries", "1", "retry-backoff", "10ms");
        FireId id = once(job);
        TestJobs.gate = new CountDownLatch(1);
        lab.lead();
        await().atMost(LONG).until(() -> !TestJobs.runs.isEmpty());
        lab.ledger.submit(pause(Request.Kind.PAUSE, job));
        await().atMost(LONG).until(() -> lab.ledger.paused.equals(new Paused(false, Set.of(job), Set.of())));
        TestJobs.gate.countDown();
        await().atMost(LONG).until(() -> record(id).retry().isPresent());
        // Two looks of the keeper later it would have run.
        await().during(Duration.ofSeconds(1))
                .atMost(LONG)
                .until(() -> record(id).retry().isPresent());
        assertThat(TestJobs.runs).hasSize(1);
        lab.ledger.submit(pause(Request.Kind.RESUME, job));

        await().atMost(LONG).until(() -> outcomeOf(id) == Kind.SUCCEEDED);
    }

    @Test
    void retryThatWasPausedUntilItsTriggersNextFireIsAbandoned() throws Exception {
        JobKey job = failing(0);
        FireId id = new FireId(Lab.trigger("gone"), now().minusSeconds(60));
        lab.ledger.paused = new Paused(false, Set.of(job), Set.of());
        // The first term of a process takes a while to load.
        lab.lead();
        lab.stop();
        Instant limit = now().plusMillis(1500);
        lab.ledger.plant(waiting(id, job, new Retry(now(), limit)));
        lab.lead();
        await().atMost(LONG).until(() -> Instant.now().isAfter(limit));
        assertThat(outcomeOf(id)).isNull();
        lab.ledger.submit(pause(Request.Kind.RESUME, job));

        await().atMost(LONG).until(() -> outcomeOf(id) == Kind.ABANDONED);
        assertThat(TestJobs.runs).isEmpty();
    }

    @Test
    void retryAndTheNextFireOfANonConcurrentJobDoNotOverlap() throws Exception {
        JobKey job = lab.addJob(
                "lone",
                TestJobs.Lone.class,
                false,
                data("retries", "5", "retry-backoff", "0s", "retry-past-next", "true"));
        lab.addTrigger("often", job, Schedule.Simple.every(Duration.ofMillis(100)), Misfire.ONCE);
        FireId id = new FireId(Lab.trigger("often"), now().minusSeconds(5));
        lab.ledger.plant(waiting(id, job, Retry.at(now())));
        lab.lead();

        await().atMost(LONG).until(() -> outcomeOf(id) == Kind.SUCCEEDED && TestJobs.runs.size() > 5);
        assertThat(TestJobs.mostOverlapping).hasValue(1);
    }

    @Test
    void runThatTakesTooLongIsInterruptedAndHasFailed() throws Exception {
        JobKey job = lab.addJob(
                "slow",
                TestJobs.Waiting.class,
                false,
                data("timeout", "200ms", "retries", "1", "retry-backoff", "10ms"));
        FireId id = once(job);
        TestJobs.gate = new CountDownLatch(1);
        lab.lead();

        await().atMost(LONG).until(() -> outcomeOf(id) == Kind.FAILED);
        assertThat(record(id).outcome()).extracting(Outcome::error).isEqualTo("timed out after 200ms");
        assertThat(record(id).earlier())
                .singleElement()
                .satisfies(first ->
                        assertThat(first.ended()).extracting(Outcome::error).isEqualTo("timed out after 200ms"));
        assertThat(TestJobs.runs).hasSize(2);
    }

    @Test
    void runThatIsDeafToInterruptsKeepsItsThreadAndItsJobBlocked() throws Exception {
        JobKey job = lab.addJob("deaf", Deaf.class, false, data("timeout", "100ms"));
        lab.addTrigger("often", job, Schedule.Simple.every(Duration.ofMillis(100)), Misfire.ONCE);
        lab.lead();

        await().atMost(LONG).until(() -> Deaf.interrupts.get() > 0);
        assertThat(lab.scheduler().running().count()).isEqualTo(1);
        assertThat(TestJobs.runs).hasSize(1);
        assertThat(Deaf.remaining.get(0)).isBetween(Duration.ZERO, Duration.ofMillis(100));
        Deaf.letGo.countDown();
        await().atMost(LONG).until(() -> !lab.ledger.ended(Kind.FAILED).isEmpty());
        await().atMost(LONG).until(() -> TestJobs.runs.size() > 1);
    }

    @Test
    void runInterruptedByTheServiceIsRunAgainIfItsJobAsksForRecovery() throws Exception {
        lab.settings = SchedulerSettings.defaults();
        JobKey job = lab.addJob("waits", TestJobs.Waiting.class, true, Map.of());
        FireId id = once(job);
        TestJobs.gate = new CountDownLatch(1);
        lab.lead();
        await().atMost(LONG).until(() -> !TestJobs.runs.isEmpty());
        lab.scheduler().interruptRunning("the lease has run out");
        TestJobs.gate.countDown();

        await().atMost(LONG).until(() -> outcomeOf(id) == Kind.SUCCEEDED);
        assertThat(TestJobs.runs).extracting(TestJobs.Run::attempt).containsExactly(1, 2);
        assertThat(TestJobs.runs).extracting(TestJobs.Run::recovering).containsExactly(false, true);
        assertThat(record(id).earlier())
                .singleElement()
                .satisfies(first -> assertThat(first.ended())
                        .extracting(Outcome::kind, Outcome::error)
                        .containsExactly(Kind.INTERRUPTED, "the lease has run out"));
    }
}
