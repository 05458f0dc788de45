package io.latchkey.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.latchkey.jobs.Misfire;
import io.latchkey.jobs.Schedule;
import io.latchkey.jobs.Window;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.Paused;
import io.latchkey.ledger.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.quartz.Job;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;

/** What operators and jobs ask of the leader, and what a job may not ask of its scheduler. */
class RequestsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final List<Exception> refusals = new CopyOnWriteArrayList<>();

    private final Lab lab = new Lab();

    @AfterEach
    void close() {
        lab.close();
        refusals.clear();
    }

    private static Request request(Request.Kind kind, @Nullable JobKey job, @Nullable TriggerKey trigger) {
        return new Request("", kind, job, trigger, Map.of(), "an operator", Instant.now());
    }

    private JobKey ticking(String name) {
        JobKey job = lab.addJob(name, TestJobs.Quick.class);
        lab.addTrigger(name, job, Schedule.Simple.every(Duration.ofMillis(50)), Misfire.NOTHING);
        return job;
    }

    @Test
    void requestedJobRunsOnceWithItsData() throws Exception {
        JobKey job = lab.addJob("asked", TestJobs.Quick.class, false, Map.of("a", "file", "b", "file"));
        lab.lead();
        lab.ledger.submit(Request.trigger(job, Map.of("b", "asked"), "an operator", Instant.now()));

        await().atMost(LONG)
                .until(() -> lab.ledger.ended(Outcome.Kind.SUCCEEDED).size() == 1);
        assertThat(lab.ledger.requests).isEmpty();
        assertThat(TestJobs.runs)
                .singleElement()
                .satisfies(
                        run -> assertThat(run.data()).containsEntry("a", "file").containsEntry("b", "asked"));
        await().pollDelay(Duration.ofMillis(700))
                .untilAsserted(() -> assertThat(TestJobs.runs).hasSize(1));
    }

    @Test
    void requestForAnUnknownJobIsDropped() throws Exception {
        lab.lead();
        lab.ledger.submit(Request.trigger(Lab.job("nobody"), Map.of(), "an operator", Instant.now()));
        await().atMost(LONG).until(lab.ledger.requests::isEmpty);
        assertThat(lab.overs).isEmpty();
    }

    @Test
    void pausedJobRunsNothingUntilResumedAlsoInTheNextTerm() throws Exception {
        JobKey job = ticking("paused");
        ticking("other");
        lab.lead();
        await().atMost(LONG).until(() -> !TestJobs.runsOf("paused").isEmpty());
        lab.ledger.submit(request(Request.Kind.PAUSE, job, null));
        await().atMost(LONG).until(() -> lab.ledger.paused.jobs().contains(job));
        await().atMost(LONG).until(lab.ledger.requests::isEmpty);
        lab.stop();
        assertThat(lab.scheduler().awaitIdle(LONG)).isTrue();
        int before = TestJobs.runsOf("paused").size();

        lab.lead();
        int others = TestJobs.runsOf("other").size();
        await().atMost(LONG).until(() -> TestJobs.runsOf("other").size() > others + 10);
        assertThat(TestJobs.runsOf("paused")).hasSize(before);

        lab.ledger.submit(request(Request.Kind.RESUME, job, null));
        await().atMost(LONG).until(() -> TestJobs.runsOf("paused").size() > before + 2);
        assertThat(lab.ledger.paused).isEqualTo(Paused.NOTHING);
    }

    @Test
    void everythingAndSingleTriggersCanBePaused() throws Exception {
        ticking("one");
        ticking("two");
        lab.ledger.paused = new Paused(true, java.util.Set.of(), java.util.Set.of());
        lab.lead();
        await().pollDelay(Duration.ofMillis(500))
                .untilAsserted(() -> assertThat(TestJobs.runs).isEmpty());

        lab.ledger.submit(request(Request.Kind.PAUSE, null, Lab.trigger("one")));
        lab.ledger.submit(request(Request.Kind.RESUME, null, null));
        await().atMost(LONG)
                .until(() -> !TestJobs.runsOf("one").isEmpty()
                        && !TestJobs.runsOf("two").isEmpty());
    }

    @Test
    void resignIsPassedOn() throws Exception {
        lab.lead();
        lab.ledger.submit(request(Request.Kind.RESIGN, null, null));
        await().atMost(LONG).until(() -> !lab.resigned.isEmpty());
        assertThat(lab.ledger.requests).isEmpty();
    }

    @Test
    void jobMayTriggerAnotherButChangeNothing() throws Exception {
        JobKey meddler = lab.addJob("meddler", Meddler.class);
        lab.addTrigger("m", meddler, new Schedule.Simple(Window.OPEN, 0, Duration.ZERO), Misfire.ONCE);
        lab.addJob("asked", TestJobs.Quick.class);
        lab.lead();

        await().atMost(LONG).until(() -> TestJobs.runsOf("asked").size() == 1);
        assertThat(TestJobs.runsOf("asked").get(0).data()).containsEntry("from", "meddler");
        assertThat(refusals).hasSize(5).allMatch(e -> String.valueOf(e).contains("refused"));
        assertThat(refusals.get(0)).hasMessageContaining("conf/");
    }

    /** Tries what would die with the term. */
    public static class Meddler implements Job {
        private interface Attempt {
            void on(Scheduler scheduler) throws SchedulerException;
        }

        @Override
        public void execute(JobExecutionContext context) throws JobExecutionException {
            Scheduler scheduler = context.getScheduler();
            List<Attempt> attempts = List.of(
                    s -> s.scheduleJob(
                            TriggerBuilder.newTrigger().forJob("asked", "test").build()),
                    s -> s.deleteJob(Lab.job("asked")),
                    s -> s.pauseJob(Lab.job("asked")),
                    s -> s.shutdown(),
                    s -> s.triggerJob(Lab.job("nobody")));
            for (Attempt attempt : attempts) {
                try {
                    attempt.on(scheduler);
                } catch (SchedulerException e) {
                    refusals.add(e);
                }
            }
            try {
                scheduler.triggerJob(Lab.job("asked"), new JobDataMap(Map.of("from", "meddler")));
            } catch (SchedulerException e) {
                throw new JobExecutionException(e);
            }
        }
    }

    @Test
    void persistedDataIsThereInTheNextTerm() throws Exception {
        JobKey job = lab.addJob("count", TestJobs.Counting.class, false, Map.of("kept", "from the file"));
        lab.addTrigger("count", job, Schedule.Simple.every(Duration.ofMillis(100)), Misfire.ONCE);
        lab.lead();
        await().atMost(LONG).until(() -> TestJobs.runs.size() >= 3);
        lab.stop();
        assertThat(lab.scheduler().awaitIdle(LONG)).isTrue();
        int before = TestJobs.runs.size();
        lab.reload();
        lab.lead();
        await().atMost(LONG).until(() -> TestJobs.runs.size() >= before + 2);
        lab.stop();
        assertThat(lab.scheduler().awaitIdle(LONG)).isTrue();

        assertThat(lab.ledger.data.get(job))
                .containsEntry("count", TestJobs.runs.size())
                .containsEntry("kept", "from the file");
    }
}
