package io.latchkey.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.latchkey.conf.QuartzSettings;
import io.latchkey.conf.SchedulerSettings;
import io.latchkey.election.Gate;
import io.latchkey.election.Lease;
import io.latchkey.election.StopReason;
import io.latchkey.election.Tenure;
import io.latchkey.election.Term;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.jobs.JobSpec;
import io.latchkey.jobs.Misfire;
import io.latchkey.jobs.Schedule;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.FireLedger;
import io.latchkey.lifecycle.Faults;
import io.latchkey.lifecycle.Threads;
import io.latchkey.zookeeper.OfflineSession;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.ZNodes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.quartz.Job;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/** Terms on sessions without a server, a scripted ledger, and what runs on them. One for each test; closed with it. */
final class Lab implements AutoCloseable {
    private static final AtomicLong sessions = new AtomicLong(0x1000);

    final ScriptedLedger ledger = new ScriptedLedger();
    /** What the scheduler is given in the ledger's place. */
    UnaryOperator<FireLedger> seenAs = UnaryOperator.identity();

    final List<Integer> halts = new CopyOnWriteArrayList<>();
    final Threads threads = new Threads(new Faults(halts::add));
    final List<String> resigned = new CopyOnWriteArrayList<>();
    final List<String> overs = new CopyOnWriteArrayList<>();
    private final List<JobSpec> jobs = new ArrayList<>();
    private final List<TriggerSpec> triggers = new ArrayList<>();
    private long number;
    SchedulerSettings settings = SchedulerSettings.defaults();
    QuartzSettings quartz = QuartzSettings.NONE;
    Clock clock = Clock.systemUTC();
    Session session = OfflineSession.of(sessions.incrementAndGet());
    private @Nullable TermScheduler scheduler;
    private @Nullable Term term;

    static JobKey job(String name) {
        return new JobKey(name, "test");
    }

    static TriggerKey trigger(String name) {
        return new TriggerKey(name, "test");
    }

    JobKey addJob(String name, Class<? extends Job> type, boolean recover, Map<String, @Nullable String> data) {
        jobs.add(new JobSpec(job(name), type, null, false, recover, data));
        return job(name);
    }

    JobKey addJob(String name, Class<? extends Job> type) {
        return addJob(name, type, false, Map.of());
    }

    TriggerSpec addTrigger(String name, JobKey job, Schedule schedule, Misfire misfire) {
        TriggerSpec spec = new TriggerSpec(trigger(name), job, schedule, 5, Map.of(), null, misfire);
        triggers.add(spec);
        return spec;
    }

    static TriggerSpec spec(String name, JobKey job, Schedule schedule) {
        return new TriggerSpec(trigger(name), job, schedule, 5, Map.of(), null, Misfire.ALL);
    }

    /** A trigger with its cursor as an earlier term left it. */
    TriggerSpec addTrigger(String name, JobKey job, Schedule schedule, Misfire misfire, Instant start, Instant next) {
        TriggerSpec spec = addTrigger(name, job, schedule, misfire);
        ledger.cursors.put(
                spec.key(), Cursor.first(spec.key(), job, spec.fingerprint(), new Cursor.Anchor(start, -1), next));
        return spec;
    }

    void forgetConfiguration() {
        jobs.clear();
        triggers.clear();
    }

    TermScheduler scheduler() {
        TermScheduler made = scheduler;
        if (made == null) {
            made = new TermScheduler(
                    seenAs.apply(ledger),
                    JobCatalog.of(jobs, triggers),
                    new TermScheduler.Config(settings, quartz),
                    threads,
                    clock,
                    resigned::add);
            scheduler = made;
        }
        return made;
    }

    Term term() {
        Term now = term;
        if (now == null) {
            throw new IllegalStateException("no term was taken");
        }
        return now;
    }

    /** The next term runs the configuration as it is now, as another process of a newer version would. */
    void reload() {
        scheduler = null;
    }

    JobCatalog catalog() {
        return JobCatalog.of(jobs, triggers);
    }

    /** The term that is led goes on with the configuration as it is now. */
    @SuppressWarnings("ReferenceEquality") // that very one, not another that says the same
    void change() {
        JobCatalog next = catalog();
        scheduler().use(next);
        await().atMost(Duration.ofSeconds(30)).until(() -> scheduler().inForce() == next);
    }

    /** For a test that puts a term together by itself. */
    RunningFires running(Deadlines deadlines) {
        return new RunningFires(deadlines, new FailureHooks(threads, deadlines));
    }

    Term newTerm() {
        number++;
        Lease lease = new Lease(Duration.ofMinutes(10), Clock.systemUTC(), System::nanoTime);
        lease.confirmedWrite(System.nanoTime());
        Tenure tenure = new Tenure(number, 100 + number, (int) number, "/latchkey/latch/own", "here", Instant.now());
        term = new Term(tenure, new ZNodes("/latchkey"), session, new Gate(), lease, overs::add);
        return term;
    }

    /** Takes a term, loads, but leaves the gate closed. */
    Term load() throws Exception {
        Term next = newTerm();
        scheduler().lead(next);
        return next;
    }

    /** Takes a term and leads. */
    Term lead() throws Exception {
        Term next = load();
        next.gate().open();
        scheduler().opened(next);
        return next;
    }

    void stop() {
        Term now = term();
        now.gate().close("stopped by the test");
        scheduler().stop(now, StopReason.HANDOVER);
    }

    /** The session is lost, and with it this incarnation; the next term has another. */
    void loseSession() {
        ledger.live.remove(session.incarnation());
        stop();
        session = OfflineSession.of(sessions.incrementAndGet());
    }

    /** The next term is another instance's; this one lives on. */
    void passOn() {
        stop();
        session = OfflineSession.of(sessions.incrementAndGet());
        reload();
    }

    @Override
    public void close() {
        try {
            if (scheduler != null && term != null) {
                stop();
                TestJobs.gate.countDown();
                scheduler.interruptRunning("the test is over");
                assertThat(scheduler.awaitIdle(Duration.ofSeconds(20))).isTrue();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            TestJobs.reset();
        }
    }
}
