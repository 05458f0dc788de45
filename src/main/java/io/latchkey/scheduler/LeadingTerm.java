package io.latchkey.scheduler;

import io.latchkey.conf.QuartzSettings;
import io.latchkey.election.Term;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.LedgerState;
import io.latchkey.lifecycle.Threads;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quartz.SchedulerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One term's scheduler from load to shutdown. {@link #load}, {@link #start} and {@link #stop} come on the leadership
 * thread, in that order; {@code stop} also after a {@code load} that threw.
 */
final class LeadingTerm {
    private static final Logger log = LoggerFactory.getLogger(LeadingTerm.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final TermContext in;
    private final Threads threads;
    private final AtomicBoolean hold;
    private final Supplier<JobCatalog> wanted;
    private final Consumer<String> resign;
    private final Queue<FireId> givenBack = new ConcurrentLinkedQueue<>();
    private final LedgerJobStore store;
    private final Recovery recovery;
    private @Nullable ScheduledExecutorService executor;
    private volatile @Nullable QuartzTerm quartz;
    private volatile @Nullable Keeper keeper;

    /**
     * @param hold whether what was missed is put on hold for an operator; false once that is on record
     * @param wanted the configuration that is to be in force, which may be another than the term begins with
     */
    LeadingTerm(
            TermContext in, Threads threads, AtomicBoolean hold, Supplier<JobCatalog> wanted, Consumer<String> resign) {
        this.in = in;
        this.threads = threads;
        this.hold = hold;
        this.wanted = wanted;
        this.resign = resign;
        this.store = new LedgerJobStore(in, threads.faults(), givenBack::add);
        this.recovery = new Recovery(in, store);
    }

    /** The configuration in force in this term. */
    JobCatalog catalog() {
        return in.catalog();
    }

    boolean isOf(Term term) {
        return in.term() == term;
    }

    /** Reads the ledger, brings it and the configuration together, and builds the scheduler. Nothing fires yet. */
    void load(QuartzSettings settings) throws SchedulerException, LedgerException {
        long from = System.nanoTime();
        LedgerState state = in.fenced().load();
        // Quartz first: its signaller must be there before the store takes a trigger.
        quartz = new QuartzTerm(
                in, store, new QuartzExtensions(settings, in.catalog().classLoader()), threads);
        recovery.block(state.running(), state.live());
        Pauses pauses = new Pauses(in, store, state.paused());
        recovery.paused(pauses::covers);
        InForce inForce = new InForce(in, store, recovery, pauses, wanted);
        inForce.load(state, hold.get());
        recovery.decide(state.running());
        pauses.apply();
        hold.set(false);
        keeper = new Keeper(in, store, recovery, inForce, pauses, givenBack, resign);
        log.info(
                "Loaded {}: {} jobs, {} triggers, {} running records, in {} ms",
                in.term(),
                in.catalog().jobs().size(),
                in.catalog().triggers().size(),
                state.running().size(),
                Duration.ofNanos(System.nanoTime() - from).toMillis());
    }

    /** The gate is open. */
    void start() {
        QuartzTerm scheduler = quartz;
        Keeper looksAfter = keeper;
        if (scheduler == null || looksAfter == null) {
            in.term().over("the scheduler was not loaded");
            return;
        }
        try {
            scheduler.start();
        } catch (SchedulerException | RuntimeException e) {
            log.error("The scheduler of {} does not start; the lead is given up", in.term(), e);
            in.term().over("the scheduler does not start: " + e.getMessage());
            return;
        }
        ScheduledExecutorService made = threads.scheduled("keeper-t" + in.term().number());
        executor = made;
        looksAfter.start(made);
    }

    void stop() {
        Keeper looksAfter = keeper;
        if (looksAfter != null) {
            looksAfter.stop();
        }
        QuartzTerm scheduler = quartz;
        if (scheduler != null) {
            scheduler.stop();
        }
        if (executor != null) {
            Threads.stop("the keeper of " + in.term(), executor, PATIENCE);
        }
        in.fenced().close();
    }

    void lookAgain() {
        Keeper looksAfter = keeper;
        if (looksAfter != null) {
            looksAfter.wake();
        }
    }

    TermScheduler.Load load() {
        QuartzTerm scheduler = quartz;
        return scheduler == null ? TermScheduler.Load.NONE : scheduler.load();
    }

    Optional<String> unhealthy() {
        QuartzTerm scheduler = quartz;
        return scheduler == null ? Optional.empty() : scheduler.unhealthy();
    }
}
