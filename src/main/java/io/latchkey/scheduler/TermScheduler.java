package io.latchkey.scheduler;

import io.latchkey.conf.CatchUp;
import io.latchkey.conf.QuartzSettings;
import io.latchkey.conf.SchedulerSettings;
import io.latchkey.election.StopReason;
import io.latchkey.election.Term;
import io.latchkey.election.TermWorker;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.ledger.FireLedger;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.TermLedger;
import io.latchkey.lifecycle.Threads;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quartz.SchedulerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the jobs while this instance leads: for each term a fresh load of the ledger, a fresh Quartz scheduler and job
 * store. What runs outlives its term and is known process-wide. See {@link TermWorker} for threads.
 */
public final class TermScheduler implements TermWorker {
    private static final Logger log = LoggerFactory.getLogger(TermScheduler.class);

    private final FireLedger ledger;
    private final AtomicReference<JobCatalog> wanted;
    private final Config config;
    private final Threads threads;
    private final Clock clock;
    private final Consumer<String> resign;
    private final RunningFires running;

    /** Of this process: its first lead puts on hold what was missed, a later one goes on with what the ledger has. */
    private final AtomicBoolean hold;

    private volatile @Nullable LeadingTerm leading;

    /**
     * What the user may set.
     *
     * @param quartz what is left to Quartz itself: listeners, plugins
     */
    public record Config(SchedulerSettings scheduler, QuartzSettings quartz) {}

    /**
     * @param resign called with a reason when an operator asks this leader to resign; must return at once
     */
    public TermScheduler(
            FireLedger ledger,
            JobCatalog catalog,
            Config config,
            Threads threads,
            Clock clock,
            Consumer<String> resign) {
        this.ledger = ledger;
        this.wanted = new AtomicReference<>(catalog);
        this.config = config;
        this.threads = threads;
        this.clock = clock;
        this.resign = resign;
        Deadlines deadlines = new Deadlines(threads);
        this.running = new RunningFires(deadlines, new FailureHooks(threads, deadlines));
        this.hold = new AtomicBoolean(config.scheduler().catchUp() == CatchUp.HOLD);
    }

    /**
     * Checks what {@code quartz.properties} plugs in, without a term.
     *
     * @throws SchedulerException if a class cannot be used; the message names its key and the remedy
     */
    public static void check(QuartzSettings quartz, ClassLoader authors) throws SchedulerException {
        new QuartzExtensions(quartz, authors).check();
    }

    @Override
    public void inspect() throws LedgerException {
        ledger.requireKnownFormats();
    }

    @Override
    public void lead(Term term) throws Exception {
        TermLedger fenced = ledger.open(term);
        TermContext in = new TermContext(term, ledger, fenced, wanted(), running, config.scheduler(), clock);
        LeadingTerm next = new LeadingTerm(in, threads, hold, this::wanted, resign);
        // Known before it is loaded, so that stop finds whatever there is of it.
        leading = next;
        next.load(config.quartz());
    }

    /**
     * From now on {@code next} is to be run: by the term that is led, if there is one, soon; by later ones from their start.
     * What of it is as before goes on undisturbed. Returns at once.
     */
    public void use(JobCatalog next) {
        wanted.set(next);
        LeadingTerm now = leading;
        if (now != null) {
            now.lookAgain();
        }
    }

    private JobCatalog wanted() {
        return Objects.requireNonNull(wanted.get());
    }

    /** The configuration that is in force: of the term that is led, or else of the next. */
    public JobCatalog inForce() {
        LeadingTerm now = leading;
        return now == null ? wanted() : now.catalog();
    }

    @Override
    public void opened(Term term) {
        LeadingTerm now = leading;
        if (now == null || !now.isOf(term)) {
            log.error("{} was opened but never loaded; nothing runs in it", term);
            term.over("the scheduler was never loaded");
            return;
        }
        now.start();
    }

    @Override
    public void stop(Term term, StopReason reason) {
        LeadingTerm now = leading;
        if (now != null && now.isOf(term)) {
            leading = null;
            now.stop();
            log.info("The scheduler of {} is shut down ({}); {} fires still run here", term, reason, running.count());
        }
    }

    @Override
    public boolean hasRunning() {
        return running.count() > 0;
    }

    @Override
    public void interruptRunning(String why) {
        running.interruptUnlessOptedOut(why);
    }

    @Override
    public boolean awaitIdle(Duration atMost) throws InterruptedException {
        running.endThoseThatCalledExit(clock.instant());
        boolean idle = running.awaitIdle(atMost);
        if (!idle) {
            running.sayWhatRuns();
        }
        return idle;
    }

    @Override
    public void instanceGone(String id, String incarnation) {
        LeadingTerm now = leading;
        if (now != null) {
            log.info("Instance {} (incarnation {}) is gone; what it left is decided", id, incarnation);
            now.lookAgain();
        }
    }

    @Override
    public Optional<String> unhealthy() {
        LeadingTerm now = leading;
        return now == null ? Optional.empty() : now.unhealthy();
    }

    /**
     * How busy the leading term is; without one, all is zero.
     *
     * @param threads how many runs it may have at once
     * @param busy how many of them it has
     * @param retries how many fires that failed wait to be tried again
     * @param overdue how long the trigger has waited that has waited longest and could run
     */
    public record Load(int threads, int busy, int retries, Duration overdue) {
        /** Of a standby. */
        public static final Load NONE = new Load(0, 0, 0, Duration.ZERO);
    }

    /** How busy this leader is. Any thread; waits for nothing that waits for ZooKeeper. */
    public Load load() {
        LeadingTerm now = leading;
        return now == null ? Load.NONE : now.load();
    }

    /** What runs in this process, of whatever term. */
    public RunningFires running() {
        return running;
    }
}
