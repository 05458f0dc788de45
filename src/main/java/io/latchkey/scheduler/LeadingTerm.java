package io.latchkey.scheduler;

import io.latchkey.conf.QuartzSettings;
import io.latchkey.election.Term;
import io.latchkey.jobs.JobSpec;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.CursorWrite;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.LedgerState;
import io.latchkey.ledger.Plan;
import io.latchkey.ledger.WriteResult;
import io.latchkey.lifecycle.Threads;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.SchedulerException;
import org.quartz.TriggerKey;
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
    private final Consumer<String> resign;
    private final Queue<FireId> givenBack = new ConcurrentLinkedQueue<>();
    private final LedgerJobStore store;
    private final Recovery recovery;
    private @Nullable ScheduledExecutorService executor;
    private volatile @Nullable QuartzTerm quartz;
    private volatile @Nullable Keeper keeper;

    /** @param hold whether what was missed is put on hold for an operator; false once that is on record */
    LeadingTerm(TermContext in, Threads threads, AtomicBoolean hold, Consumer<String> resign) {
        this.in = in;
        this.threads = threads;
        this.hold = hold;
        this.resign = resign;
        this.store = new LedgerJobStore(in, threads.faults(), givenBack::add);
        this.recovery = new Recovery(in, store);
    }

    boolean isOf(Term term) {
        return in.term() == term;
    }

    /** Reads the ledger, brings it and the configuration together, and builds the scheduler. Nothing fires yet. */
    void load(QuartzSettings settings) throws SchedulerException, LedgerException {
        long from = System.nanoTime();
        LedgerState state = in.fenced().load();
        Instant now = in.now();
        Reconciler reconciler = new Reconciler(
                state, now, in.settings().orphanRetention(), in.settings().catchUpLimit() > 0);
        List<TriggerSpec> specs = in.catalog().triggers();
        Set<JobKey> withoutPlace = reconciler.jobsWithoutPlace(specs);
        Map<TriggerKey, Instant> latest =
                withoutPlace.isEmpty() ? Map.of() : in.fenced().latestSlots(withoutPlace);
        Reconciler.Result found = reconciler.reconcile(specs, latest);
        write(found.writes(), "The cursors of this configuration");
        forget(found.writes(), state);

        // Quartz first: its signaller must be there before the store takes a trigger.
        quartz = new QuartzTerm(
                in, store, new QuartzExtensions(settings, in.catalog().classLoader()), threads);
        for (JobSpec job : in.catalog().jobs()) {
            store.storeJob(JobData.detail(job, state.jobData().get(job.key())), true);
        }
        recovery.block(state.running(), state.live());
        Pauses pauses = new Pauses(in, store, state.paused());
        if (pauses.hold(found.tracks(), state.cursors().keySet(), hold.get(), now)) {
            accept(in.fenced().pause(pauses.paused()), "What is on hold");
        }
        take(found.tracks(), pauses, now);
        recovery.decide(state.running());
        pauses.apply();
        hold.set(false);
        keeper = new Keeper(in, store, recovery, pauses, givenBack, resign);
        log.info(
                "Loaded {}: {} jobs, {} triggers, {} running records, in {} ms",
                in.term(),
                in.catalog().jobs().size(),
                specs.size(),
                state.running().size(),
                Duration.ofNanos(System.nanoTime() - from).toMillis());
    }

    private void take(List<Track> tracks, Pauses pauses, Instant now) throws SchedulerException {
        List<CursorWrite> skips = new ArrayList<>();
        for (Track track : tracks) {
            track.missedUntil(now);
            Plan plan = track.plan(now, in.planner());
            boolean missed = plan.skip().isPresent()
                    || plan.run().filter(slot -> slot.missed().catchUp()).isPresent();
            if (!pauses.covers(track)) {
                if (missed) {
                    log.info(
                            "Trigger {} (job {}) catches up from {}: {}",
                            track.key(),
                            track.spec().job(),
                            track.cursor().next(),
                            plan.run().map(slot -> "runs " + slot.instant()).orElse("runs nothing"));
                }
                if (plan.run().isEmpty() && plan.skip().isPresent()) {
                    skips.add(new CursorWrite.Put(plan.after(), plan.skip()));
                    track.moved(plan.after());
                } else {
                    store.pace(track);
                }
            }
        }
        write(skips, "The cursors past what was missed");
        for (Track track : tracks) {
            store.put(track);
        }
    }

    /** With the last trigger of a job that is long gone, what is kept of the job goes too. */
    private void forget(List<CursorWrite> writes, LedgerState state) {
        for (CursorWrite write : writes) {
            Cursor cursor = state.cursors().get(write.trigger());
            if (write instanceof CursorWrite.Delete
                    && cursor != null
                    && in.catalog().job(cursor.job()).isEmpty()) {
                in.accept(in.fenced().forget(cursor.job()), "The end of job " + cursor.job());
            }
        }
    }

    private void write(List<CursorWrite> writes, String what) throws SchedulerException {
        if (writes.isEmpty()) {
            return;
        }
        WriteResult result = in.fenced().write(writes);
        Claims.logSkips(writes, result);
        accept(result, what);
    }

    private void accept(WriteResult result, String what) throws SchedulerException {
        if (!in.accept(result, what)) {
            throw new SchedulerException(
                    what + " could not be written: " + in.term().gate().reason());
        }
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

    Optional<String> unhealthy() {
        QuartzTerm scheduler = quartz;
        return scheduler == null ? Optional.empty() : scheduler.unhealthy();
    }
}
