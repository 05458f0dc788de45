package io.latchkey.scheduler;

import io.latchkey.lifecycle.Faults;
import io.latchkey.lifecycle.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.core.JobRunShell;
import org.quartz.core.JobRunShellFactory;
import org.quartz.core.QuartzScheduler;
import org.quartz.core.QuartzSchedulerResources;
import org.quartz.impl.StdScheduler;
import org.quartz.spi.SchedulerPlugin;
import org.quartz.spi.ThreadExecutor;
import org.quartz.spi.TriggerFiredBundle;

/**
 * One Quartz scheduler for one term: made, started once, shut down, never used again. Put together by hand rather than by
 * Quartz's factories, which keep a static registry, make their own threads and know no other frame around a job.
 */
final class QuartzTerm {
    /** How far ahead Quartz acquires, and how long it sleeps when nothing is due: bounds the effect of a clock step. */
    private static final long IDLE_MILLIS = 1000;

    private static final Duration SILENCE = Duration.ofSeconds(10);

    private final Duration mostSilence;
    private final TermContext in;
    private final LedgerJobStore store;
    private final FirePool pool;
    private final QuartzScheduler quartz;
    private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
    private volatile boolean started;
    private volatile boolean stopped;

    QuartzTerm(TermContext in, LedgerJobStore store, QuartzExtensions extensions, Threads threads)
            throws SchedulerException {
        this(in, store, extensions, threads, SILENCE);
    }

    /** @param mostSilence how long the scheduler's thread may not be heard of while something is due */
    QuartzTerm(TermContext in, LedgerJobStore store, QuartzExtensions extensions, Threads threads, Duration mostSilence)
            throws SchedulerException {
        this.mostSilence = mostSilence;
        this.in = in;
        this.store = store;
        long number = in.term().number();
        this.pool = new FirePool(in.settings().threads(), extensions.withPriority(threads.factory("job-t" + number)));
        Shells shells = new Shells(threads.faults());
        QuartzSchedulerResources parts = new QuartzSchedulerResources();
        parts.setName("latchkey");
        parts.setInstanceId(in.term().instanceId());
        parts.setThreadName("quartz-t" + number);
        parts.setMakeSchedulerThreadDaemon(true);
        parts.setJobRunShellFactory(shells);
        parts.setThreadPool(pool);
        parts.setThreadExecutor(new Executor(threads.faults()));
        parts.setJobStore(store);
        parts.setMaxBatchSize(in.settings().threads());
        parts.setBatchTimeWindow(0);
        Map<String, SchedulerPlugin> plugins = extensions.plugins();
        plugins.values().forEach(parts::addSchedulerPlugin);
        this.quartz = new QuartzScheduler(parts, IDLE_MILLIS, -1);
        try {
            store.initialize(extensions.loadHelper(), quartz.getSchedulerSignaler());
            Scheduler scheduler = new StdScheduler(quartz);
            Scheduler forJobs = JobsScheduler.around(scheduler, new SubmittedRequests(in));
            shells.initialize(forJobs);
            quartz.setJobFactory(
                    (bundle, unused) -> new FireJob((FiredBundle) bundle, forJobs, in.clock(), threads.faults()));
            quartz.initialize();
            extensions.attach(scheduler, forJobs);
        } catch (SchedulerException | RuntimeException e) {
            quartz.shutdown(false);
            throw e;
        }
    }

    /** Starts firing. The gate is open. */
    void start() throws SchedulerException {
        quartz.start();
        started = true;
    }

    /** Shuts down for good; running jobs keep their threads. Waits for a claim under way, and for nothing else. */
    void stop() {
        stopped = true;
        store.exclusively(() -> quartz.shutdown(false));
    }

    TermScheduler.Load load() {
        int threads = pool.getPoolSize();
        return new TermScheduler.Load(threads, threads - pool.free(), store.retries(), store.overdue());
    }

    /** Why this scheduler does not do its work, or empty. */
    Optional<String> unhealthy() {
        if (!started || stopped) {
            return Optional.empty();
        }
        Thread loop = thread.get();
        if (loop == null || !loop.isAlive()) {
            return Optional.of("the Quartz scheduler thread has died");
        }
        Duration silent = Duration.ofNanos(System.nanoTime() - store.lastContactNanos());
        if (silent.compareTo(mostSilence) < 0 || pool.free() == 0) {
            return Optional.empty();
        }
        Instant limit = in.now().minus(mostSilence);
        return store.overdue(limit)
                .map(track -> "the Quartz scheduler thread has been silent for " + silent.toSeconds()
                        + " s while trigger " + track.key() + " is due since " + track.askAt());
    }

    /** Starts Quartz's own thread and keeps hold of it, to see whether it lives. */
    private final class Executor implements ThreadExecutor {
        private final Faults faults;

        private Executor(Faults faults) {
            this.faults = faults;
        }

        @Override
        public void execute(Thread loop) {
            loop.setUncaughtExceptionHandler(faults);
            thread.set(loop);
            loop.start();
        }

        @Override
        public void initialize() {
            // Nothing to set up.
        }
    }

    private final class Shells implements JobRunShellFactory {
        private final Faults faults;
        private @Nullable Scheduler forJobs;

        private Shells(Faults faults) {
            this.faults = faults;
        }

        @Override
        public void initialize(Scheduler scheduler) {
            forJobs = scheduler;
        }

        @Override
        public JobRunShell createJobRunShell(TriggerFiredBundle bundle) throws SchedulerException {
            if (forJobs == null || !(bundle instanceof FiredBundle fired)) {
                throw new SchedulerException(
                        "a run without a claim: " + bundle.getTrigger().getKey());
            }
            return new FireShell(forJobs, fired, in.catalog().classLoader(), faults, store::frameEnded);
        }
    }
}
