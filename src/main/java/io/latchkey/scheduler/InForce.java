package io.latchkey.scheduler;

import io.latchkey.jobs.JobCatalog;
import io.latchkey.jobs.JobSpec;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.ledger.ClaimRequest;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.CursorWrite;
import io.latchkey.ledger.Gap;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.LedgerState;
import io.latchkey.ledger.Plan;
import io.latchkey.ledger.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.SchedulerException;
import org.quartz.TriggerKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What of the configuration is in force in one term: brings catalog, cursors and job store together, by the same steps at
 * load, when nothing was in force before, and when it changes while the term lasts.
 *
 * <p>A change touches what has changed and nothing else. A trigger that is as it was keeps its {@link Track}: whether it is
 * due, late, paced or under way, it does not notice; neither do runs, which go on under the same term and token. What is new
 * has its cursor written before it can fire. All of it happens under the claim lock, so that no fire is planned by half of
 * either.
 *
 * <p>Used by one thread at a time: the leadership thread at load, the keeper after that.
 */
final class InForce {
    private static final Logger log = LoggerFactory.getLogger(InForce.class);

    private final TermContext in;
    private final LedgerJobStore store;
    private final Recovery recovery;
    private final Pauses pauses;
    private final Supplier<JobCatalog> wanted;

    /** The places of triggers that are not in the configuration, should they come back. */
    private final Map<TriggerKey, Cursor> left = new HashMap<>();

    /** @param wanted what is to be in force */
    InForce(TermContext in, LedgerJobStore store, Recovery recovery, Pauses pauses, Supplier<JobCatalog> wanted) {
        this.in = in;
        this.store = store;
        this.recovery = recovery;
        this.pauses = pauses;
        this.wanted = wanted;
    }

    /** The data that the runs of a job have left; null if they have left none. */
    @FunctionalInterface
    private interface Persisted {
        @Nullable
        Map<String, @Nullable Object> of(JobSpec job) throws LedgerException;
    }

    /**
     * Brings the configuration into force that the term began with. Nothing fires yet.
     *
     * @param hold whether what was missed is put on hold for an operator
     */
    void load(LedgerState state, boolean hold) throws SchedulerException, LedgerException {
        Reconciler reconciler = reconciler(state);
        JobCatalog all = in.catalog();
        Map<TriggerKey, Instant> latest = latestSlots(reconciler.jobsWithoutPlace(all.triggers()));
        left.putAll(state.cursors());
        store.change(() -> {
            Reconciler.Result found = reconciler.reconcile(all.triggers(), latest);
            hold(found, state.cursors().keySet(), hold);
            bring(
                    JobCatalog.of(List.of(), List.of()),
                    all,
                    found,
                    job -> state.jobData().get(job.key()));
        });
    }

    /**
     * Brings what is wanted into force, if that is another configuration by now. Blocks for a few round trips. What cannot
     * be brought into force ends the term: the next one has it from its start.
     *
     * @throws LedgerException if the ledger cannot be read; nothing has changed then
     */
    @SuppressWarnings("ReferenceEquality") // the usual answer, without a look at thousands of jobs
    void follow() throws LedgerException {
        JobCatalog next = wanted.get();
        if (next == in.catalog()) {
            return;
        }
        try {
            change(next);
        } catch (SchedulerException e) {
            log.error(
                    "Conf {} could not be brought into force in {} ({}); the next term has it from its start",
                    next.digest(),
                    in.term(),
                    e.getMessage(),
                    e);
        }
    }

    private void change(JobCatalog next) throws SchedulerException, LedgerException {
        long from = System.nanoTime();
        JobCatalog before = in.catalog();
        // What the history knows of triggers that are new here is read before anything has to wait for it.
        List<TriggerSpec> changed =
                next.triggers().stream().filter(this::isChanged).toList();
        Set<TriggerKey> same =
                next.triggers().stream().map(TriggerSpec::key).collect(Collectors.toCollection(HashSet::new));
        changed.forEach(spec -> same.remove(spec.key()));
        Map<TriggerKey, Instant> latest =
                new HashMap<>(latestSlots(reconciler(places(same)).jobsWithoutPlace(changed)));
        store.change(() -> {
            LedgerState places = places(same);
            places.cursors().values().forEach(cursor -> keepLater(latest, cursor));
            Reconciler.Result found = reconciler(places).reconcile(changed, latest);
            Set<TriggerKey> placed = new HashSet<>(places.cursors().keySet());
            placed.addAll(same);
            hold(found, placed, false);
            bring(before, next, found, this::persisted);
            pauses.apply();
        });
        log.info(
                "Conf {} is in force in place of {}: {} jobs, {} triggers, in {} ms; what has not changed goes on as"
                        + " it was",
                next.digest(),
                before.digest(),
                next.jobs().size(),
                next.triggers().size(),
                Duration.ofNanos(System.nanoTime() - from).toMillis());
    }

    private Reconciler reconciler(LedgerState state) {
        return new Reconciler(
                state, in.now(), in.settings().orphanRetention(), in.settings().catchUpLimit() > 0);
    }

    private Map<TriggerKey, Instant> latestSlots(Set<JobKey> jobs) throws LedgerException {
        return jobs.isEmpty() ? Map.of() : in.fenced().latestSlots(jobs);
    }

    private static void keepLater(Map<TriggerKey, Instant> latest, Cursor cursor) {
        Instant previous = cursor.place().previous();
        if (previous != null) {
            latest.merge(cursor.trigger(), previous, (a, b) -> a.isAfter(b) ? a : b);
        }
    }

    private boolean isChanged(TriggerSpec spec) {
        Track present = store.track(spec.key());
        return present == null || !present.spec().equals(spec);
    }

    /** The places of all triggers but these, as they are now: this term alone writes them. */
    private LedgerState places(Set<TriggerKey> same) {
        Map<TriggerKey, Cursor> cursors = new HashMap<>(left);
        for (Track track : store.tracks()) {
            if (!same.contains(track.key())) {
                cursors.put(track.key(), track.cursor());
            }
        }
        return LedgerState.ofCursors(cursors);
    }

    /** What is on hold stays so, and with {@code anew} what misses something now is too. */
    private void hold(Reconciler.Result found, Set<TriggerKey> placed, boolean anew) throws SchedulerException {
        if (pauses.hold(found.tracks(), placed, anew, in.now())) {
            accept(in.fenced().pause(pauses.paused()), "What is on hold");
        }
    }

    /** Under the claim lock. */
    private void bring(JobCatalog before, JobCatalog next, Reconciler.Result found, Persisted persisted)
            throws SchedulerException, LedgerException {
        Map<JobKey, JobSpec> gone = new LinkedHashMap<>();
        before.jobs().forEach(job -> gone.put(job.key(), job));
        List<Changed> changed = new ArrayList<>();
        for (JobSpec job : next.jobs()) {
            JobSpec was = gone.remove(job.key());
            if (!job.equals(was)) {
                changed.add(new Changed(job, was, persisted.of(job)));
            }
        }
        write(found.writes(), "The cursors of this configuration");
        in.bring(next);
        forget(found.writes());
        found.writes().forEach(this::remember);
        try {
            dropAllBut(next.triggers());
            take(gone.keySet(), changed);
            take(found.tracks());
        } catch (SchedulerException | RuntimeException e) {
            // Half of each may be in force: the next term, here or elsewhere, has the new one whole.
            in.term().over("conf " + next.digest() + " could not be brought into force: " + e);
            throw e;
        }
    }

    /** A job that is new or another than before, and the data that its runs have left, as the ledger has it. */
    private record Changed(
            JobSpec job, @Nullable JobSpec before, @Nullable Map<String, @Nullable Object> left) {}

    private void take(Set<JobKey> gone, List<Changed> changed) throws SchedulerException {
        for (JobKey job : gone) {
            for (OneOff fire : store.drop(job)) {
                log.info("Fire {} of job {} is not run: its job is not in the configuration any more", fire.id(), job);
                if (fire.claim() instanceof ClaimRequest.Retake retake) {
                    recovery.lookAgain(retake.previous());
                }
            }
        }
        for (Changed one : changed) {
            JobSpec before = one.before();
            store.put(one.job(), before, one.left());
            if (before != null && !before.nonConcurrent() && one.job().nonConcurrent()) {
                // Quartz does not know that the runs under way are to block it.
                recovery.blockWhileRunningHere(one.job().key());
            }
        }
    }

    private void dropAllBut(List<TriggerSpec> triggers) {
        Set<TriggerKey> configured = triggers.stream().map(TriggerSpec::key).collect(Collectors.toSet());
        for (Track present : store.tracks()) {
            if (!configured.contains(present.key())) {
                store.drop(present.key());
            }
        }
    }

    /** Takes the triggers that are new or have changed. */
    private void take(List<Track> tracks) throws SchedulerException {
        List<Track> fresh = new ArrayList<>();
        for (Track track : tracks) {
            left.remove(track.key());
            Track present = store.track(track.key());
            if (present == null
                    || !present.spec().fingerprint().equals(track.spec().fingerprint())) {
                fresh.add(track);
            } else {
                track.goesOnFrom(present);
                store.put(track);
            }
        }
        catchUp(fresh, in.now());
        for (Track track : fresh) {
            store.put(track);
        }
    }

    /** What came due while a trigger was not in force was missed. */
    private void catchUp(List<Track> tracks, Instant now) throws SchedulerException {
        List<CursorWrite> skips = new ArrayList<>();
        for (Track track : tracks) {
            track.missedUntil(now, Gap.MISSED);
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
    }

    private void remember(CursorWrite write) {
        if (write instanceof CursorWrite.Put put) {
            left.put(put.trigger(), put.cursor());
        } else {
            left.remove(write.trigger());
        }
    }

    /** With the last trigger of a job that is long gone, what is kept of the job goes too. */
    private void forget(List<CursorWrite> writes) {
        for (CursorWrite write : writes) {
            Cursor cursor = left.get(write.trigger());
            if (write instanceof CursorWrite.Delete
                    && cursor != null
                    && in.catalog().job(cursor.job()).isEmpty()) {
                in.accept(in.fenced().forget(cursor.job()), "The end of job " + cursor.job());
            }
        }
    }

    private @Nullable Map<String, @Nullable Object> persisted(JobSpec job) throws LedgerException {
        return job.persistData() ? in.fenced().jobData(job.key()).orElse(null) : null;
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
}
