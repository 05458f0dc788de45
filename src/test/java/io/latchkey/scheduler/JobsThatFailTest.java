package io.latchkey.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.latchkey.conf.QuartzSettings;
import io.latchkey.jobs.Misfire;
import io.latchkey.jobs.Schedule;
import io.latchkey.ledger.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.JobKey;
import org.quartz.Trigger;
import org.quartz.Trigger.CompletedExecutionInstruction;
import org.quartz.listeners.JobListenerSupport;
import org.quartz.listeners.TriggerListenerSupport;

/** Whatever a job or a listener throws: it is recorded, and the next slot comes. */
class JobsThatFailTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Lab lab = new Lab();

    @AfterEach
    void close() {
        lab.close();
    }

    private void every100ms(JobKey job) {
        lab.addTrigger(job.getName(), job, Schedule.Simple.every(Duration.ofMillis(100)), Misfire.ONCE);
    }

    private void failing(String how) {
        every100ms(lab.addJob(how, TestJobs.Fails.class, false, Map.of("how", how)));
    }

    @Test
    void exceptionsAndErrorsAreFailedFiresAndTheNextSlotComes() throws Exception {
        failing("RuntimeException");
        failing("Error");
        failing("JobExecutionException");
        failing("unschedule");
        lab.lead();

        await().atMost(LONG)
                .until(() -> List.of("RuntimeException", "Error", "JobExecutionException", "unschedule").stream()
                        .allMatch(how -> TestJobs.runsOf(how).size() >= 3));
        lab.stop();
        assertThat(lab.scheduler().awaitIdle(LONG)).isTrue();
        assertThat(lab.ledger.ended(Outcome.Kind.FAILED)).hasSameSizeAs(TestJobs.runs);
        assertThat(lab.ledger.outcomes().values()).allMatch(outcome -> outcome.error() != null);
        assertThat(lab.halts).isEmpty();
    }

    @Test
    void refireImmediatelyIsBounded() throws Exception {
        JobKey job = lab.addJob("again", TestJobs.Fails.class, false, Map.of("how", "refireImmediately"));
        lab.addTrigger("once", job, new Schedule.Simple(io.latchkey.jobs.Window.OPEN, 0, Duration.ZERO), Misfire.ONCE);
        lab.lead();

        await().atMost(LONG).until(() -> lab.ledger.ended(Outcome.Kind.FAILED).size() == 1);
        assertThat(TestJobs.runs).hasSize(1 + FireJob.MAX_REFIRES);
    }

    @Test
    void constructorThatThrewOnceIsTriedAgainAtTheNextSlot() throws Exception {
        every100ms(lab.addJob("bad", TestJobs.BadConstructor.class));
        lab.lead();

        await().atMost(LONG).until(() -> TestJobs.runs.size() >= 2);
        assertThat(lab.ledger.ended(Outcome.Kind.FAILED)).hasSize(1);
        assertThat(lab.ledger
                        .outcomes()
                        .get(lab.ledger.ended(Outcome.Kind.FAILED).get(0)))
                .satisfies(outcome -> assertThat(String.valueOf(outcome)).contains("constructor failed"));
    }

    @Test
    void outOfMemoryHaltsTheProcess() throws Exception {
        failing("OutOfMemory");
        lab.lead();

        await().atMost(LONG).until(() -> !lab.halts.isEmpty());
    }

    @Test
    void listenersThatThrowNeitherStopNorBlockAJob() throws Exception {
        lab.quartz = new QuartzSettings(
                Map.of(
                        "org.quartz.jobListener.bad.class", BadJobListener.class.getName(),
                        "org.quartz.triggerListener.bad.class", BadTriggerListener.class.getName()),
                List.of());
        every100ms(lab.addJob("count", TestJobs.Counting.class));
        lab.lead();

        await().atMost(LONG).until(() -> TestJobs.runs.size() >= 4);
        assertThat(lab.overs).isEmpty();
    }

    @Test
    void slowListenerHoldsUpItsOwnRunAloneAndNeverStartsItOnceTheGateIsShut() throws Exception {
        TestJobs.gate = new CountDownLatch(1);
        lab.quartz = new QuartzSettings(
                Map.of("org.quartz.jobListener.slow.class", SlowJobListener.class.getName()), List.of());
        Schedule once = new Schedule.Simple(io.latchkey.jobs.Window.OPEN, 0, Duration.ZERO);
        lab.addTrigger("slow", lab.addJob("slow", TestJobs.Quick.class), once, Misfire.ONCE);
        every100ms(lab.addJob("other", TestJobs.Quick.class));
        lab.lead();

        await().atMost(LONG)
                .until(() ->
                        TestJobs.runsOf("other").size() >= 4 && lab.scheduler().hasRunning());
        assertThat(TestJobs.runsOf("slow")).isEmpty();
        lab.stop();
        TestJobs.gate.countDown();

        assertThat(lab.scheduler().awaitIdle(LONG)).isTrue();
        assertThat(TestJobs.runsOf("slow")).isEmpty();
    }

    /** Quartz's frame around a run logs it too, with the stack trace, by the name of our class for it. */
    @Test
    void whatAJobThrowsIsInTheLogOnce() throws Exception {
        assertThat(Files.readString(Path.of("conf/logback.xml")))
                .contains("<logger name=\"" + FireShell.class.getName() + "\" level=\"OFF\"/>");
    }

    @Test
    void vetoedFireIsSkippedAndItsJobNotBlocked() throws Exception {
        lab.quartz = new QuartzSettings(
                Map.of("org.quartz.triggerListener.veto.class", VetoingListener.class.getName()), List.of());
        every100ms(lab.addJob("count", TestJobs.Counting.class));
        lab.lead();

        await().atMost(LONG).until(() -> lab.ledger.ended(Outcome.Kind.SKIPPED).size() >= 3);
        assertThat(TestJobs.runs).isEmpty();
    }

    @Test
    void runningJobIsInterruptedUnlessItOptedToContinue() throws Exception {
        TestJobs.gate = new CountDownLatch(1);
        JobKey yields = lab.addJob("yields", TestJobs.Waiting.class);
        JobKey stays =
                lab.addJob("stays", TestJobs.Waiting.class, false, Map.of("latchkey.on-leadership-lost", "continue"));
        Schedule once = new Schedule.Simple(io.latchkey.jobs.Window.OPEN, 0, Duration.ZERO);
        lab.addTrigger("a", yields, once, Misfire.ONCE);
        lab.addTrigger("b", stays, once, Misfire.ONCE);
        lab.lead();
        await().atMost(LONG).until(() -> TestJobs.runs.size() == 2);
        lab.stop();
        assertThat(lab.scheduler().hasRunning()).isTrue();

        lab.scheduler().interruptRunning("the lease ran out");
        await().atMost(LONG)
                .until(() -> lab.ledger.ended(Outcome.Kind.INTERRUPTED).size() == 1);
        assertThat(lab.scheduler().running().count()).isEqualTo(1);
        TestJobs.gate.countDown();
        assertThat(lab.scheduler().awaitIdle(LONG)).isTrue();
        assertThat(lab.ledger.ended(Outcome.Kind.SUCCEEDED)).hasSize(1);
    }

    @Test
    void handoverLetsARunningJobFinishAndRecordsIt() throws Exception {
        TestJobs.gate = new CountDownLatch(1);
        JobKey job = lab.addJob("long", TestJobs.Waiting.class);
        lab.addTrigger("a", job, new Schedule.Simple(io.latchkey.jobs.Window.OPEN, 0, Duration.ZERO), Misfire.ONCE);
        lab.lead();
        await().atMost(LONG).until(() -> TestJobs.runs.size() == 1);
        lab.stop();
        assertThat(lab.scheduler().awaitIdle(Duration.ofMillis(50))).isFalse();

        TestJobs.gate.countDown();
        assertThat(lab.scheduler().awaitIdle(LONG)).isTrue();
        assertThat(lab.ledger.ended(Outcome.Kind.SUCCEEDED)).hasSize(1);
    }

    /** Holds the job "slow" up before its run, until {@link TestJobs#gate} opens. */
    public static class SlowJobListener extends JobListenerSupport {
        @Override
        public String getName() {
            return "slow";
        }

        @Override
        public void jobToBeExecuted(JobExecutionContext context) {
            if (context.getJobDetail().getKey().getName().equals("slow")) {
                try {
                    TestJobs.gate.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    /** Throws in everything. */
    public static class BadJobListener extends JobListenerSupport {
        @Override
        public String getName() {
            return "bad";
        }

        @Override
        public void jobToBeExecuted(JobExecutionContext context) {
            throw new IllegalStateException("listener, as told");
        }

        @Override
        public void jobWasExecuted(JobExecutionContext context, JobExecutionException exception) {
            throw new AssertionError("listener, as told");
        }
    }

    /** Throws in everything. */
    public static class BadTriggerListener extends TriggerListenerSupport {
        @Override
        public String getName() {
            return "bad";
        }

        @Override
        public void triggerFired(Trigger trigger, JobExecutionContext context) {
            throw new IllegalStateException("listener, as told");
        }

        @Override
        public boolean vetoJobExecution(Trigger trigger, JobExecutionContext context) {
            throw new IllegalStateException("listener, as told");
        }

        @Override
        public void triggerComplete(
                Trigger trigger, JobExecutionContext context, CompletedExecutionInstruction instruction) {
            throw new IllegalStateException("listener, as told");
        }
    }

    /** Lets nothing run. */
    public static class VetoingListener extends TriggerListenerSupport {
        @Override
        public String getName() {
            return "veto";
        }

        @Override
        public boolean vetoJobExecution(Trigger trigger, JobExecutionContext context) {
            return true;
        }
    }
}
