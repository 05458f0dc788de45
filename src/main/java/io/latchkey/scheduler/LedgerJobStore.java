package io.latchkey.scheduler;

import io.latchkey.jobs.JobSpec;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.Gap;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.OnHold;
import io.latchkey.lifecycle.Faults;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDetail;
import org.quartz.JobKey;
import org.quartz.JobPersistenceException;
import org.quartz.SchedulerException;
import org.quartz.Trigger.CompletedExecutionInstruction;
import org.quartz.TriggerKey;
import org.quartz.impl.triggers.SimpleTriggerImpl;
import org.quartz.simpl.RAMJobStore;
import org.quartz.spi.OperableTrigger;
import org.quartz.spi.TriggerFiredResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Quartz's job store for one term, and the only place where Quartz and the ledger meet: no fire leaves {@link
 * #triggersFired} that is not claimed. Quartz's in-memory store keeps triggers, blocked jobs and their order; which slot a
 * trigger runs is decided by {@link Track} and {@link Claims}.
 *
 * <p>Towards Quartz it never throws and answers each trigger in order: an exception there leaves a trigger acquired for
 * ever, or ends the scheduler's thread. Locks: the claim lock is taken before the in-memory store's own; it is held during
 * the claim's round trip, so that the scheduler is never shut down (and its thread interrupted) in the middle of one.
 *
 * <p>Not final only for tests, which make its thread die.
 */
class LedgerJobStore extends RAMJobStore {
    private static final Logger log = LoggerFactory.getLogger(LedgerJobStore.class);
    private static final Logger QUARTZ_LOG = LoggerFactory.getLogger(RAMJobStore.class);
    /** Quartz's own misfire handling rewrites times; so far back nothing is ever late to it. */
    private static final long MISFIRES_OFF_MILLIS = Long.MAX_VALUE / 4;

    private final TermContext in;
    private final Claims claims;
    private final Faults faults;
    private final Shelf shelf = new Shelf();
    private final UnderWay underWay;
    private final Firing firing;
    private final Resuming resuming;

    private final ReentrantLock claimLock = new ReentrantLock();
    private final WallClock wallClock;
    private volatile long lastContactNanos = System.nanoTime();

    /** @param whenGivenBack told of a fire that was claimed here and given back; must return at once */
    LedgerJobStore(TermContext in, Faults faults, Consumer<FireId> whenGivenBack) {
        this.in = in;
        this.claims = new Claims(in);
        this.faults = faults;
        this.underWay = new UnderWay(in, whenGivenBack);
        this.firing = new Firing(in, this, shelf, claims, underWay, faults);
        this.resuming = new Resuming(in, this, shelf, claims);
        this.wallClock =
                new WallClock(in.clock(), System::nanoTime, in.settings().misfireThreshold());
        this.misfireThreshold = MISFIRES_OFF_MILLIS;
    }

    /** What Quartz's own part says of itself is not ours to say. */
    @Override
    protected Logger getLog() {
        return QUARTZ_LOG;
    }

    // ---- what the term does with it

    /** Runs {@code change} while no claim is under way. */
    void exclusively(Runnable change) {
        claimLock.lock();
        try {
            change.run();
        } finally {
            claimLock.unlock();
        }
    }

    /** A change of what is in force. */
    @FunctionalInterface
    interface Change {
        void make() throws SchedulerException, LedgerException;
    }

    /** The same for a change that may fail. */
    void change(Change change) throws SchedulerException, LedgerException {
        claimLock.lock();
        try {
            change.make();
        } finally {
            claimLock.unlock();
        }
    }

    /** The triggers of the configuration, as they are now. */
    List<Track> tracks() {
        return shelf.tracks();
    }

    /** How many fires wait to be tried again. Takes no lock: a claim under way holds them. */
    int retries() {
        return (int) shelf.oneOffs().stream().filter(OneOff::isRetry).count();
    }

    @Nullable
    Track track(TriggerKey key) {
        return shelf.track(key);
    }

    /**
     * Takes a job, or replaces it; what runs of it goes on as it began.
     *
     * @param before what it is now
     * @param left the data that its runs have left, as the ledger has it
     */
    void put(JobSpec job, @Nullable JobSpec before, @Nullable Map<String, @Nullable Object> left)
            throws JobPersistenceException {
        claimLock.lock();
        try {
            synchronized (lock) {
                JobDetail stored = before == null ? null : super.retrieveJob(job.key());
                Map<String, @Nullable Object> data = left;
                if (before != null && stored != null && in.running().hasRunOf(job.key())) {
                    // The ledger may not have heard yet of what a run has left that ended just now; here it is.
                    Map<String, @Nullable Object> here = stored.getJobDataMap().getWrappedMap();
                    data = here.equals(before.data()) ? left : here;
                }
                JobDetail fresh = JobData.detail(job, data);
                super.storeJob(fresh, true);
                underWay.ofOlderConf(job.key());
                if (before != null && before.nonConcurrent() && !job.nonConcurrent()) {
                    unblock(fresh);
                }
            }
        } finally {
            claimLock.unlock();
        }
    }

    /** Drops a trigger of the configuration; what runs of it goes on. */
    void drop(TriggerKey key) {
        exclusively(() -> {
            shelf.remove(key);
            super.removeTrigger(key);
        });
    }

    /**
     * Drops a job with the fires of it that wait to run once; what runs goes on. Triggers of it are dropped before, or are
     * put again with another job.
     *
     * @return those fires
     */
    List<OneOff> drop(JobKey job) {
        List<OneOff> dropped = new ArrayList<>();
        exclusively(() -> {
            for (OneOff fire : shelf.oneOffs()) {
                if (fire.job().equals(job)) {
                    dropped.add(fire);
                    shelf.remove(fire.key());
                    super.removeTrigger(fire.key());
                    underWay.notGranted(fire);
                }
            }
            super.removeJob(job);
        });
        return dropped;
    }

    /** Takes a trigger, or renews its state after its track has changed. */
    void put(Track track) throws JobPersistenceException {
        claimLock.lock();
        try {
            shelf.put(track);
            if (track.cursor().finished()) {
                super.removeTrigger(track.key());
            } else {
                store(track.forStore());
            }
        } finally {
            claimLock.unlock();
        }
    }

    /** Takes a fire that is to run once, at once. */
    void put(OneOff fire) throws JobPersistenceException {
        put(fire, false);
    }

    /** The same, paused from the start if an operator has paused its trigger or its job. */
    void put(OneOff fire, boolean paused) throws JobPersistenceException {
        claimLock.lock();
        try {
            if (paused) {
                shelf.pause(fire.key());
            }
            shelf.put(fire);
            store(fire.forStore(in.now()));
        } finally {
            claimLock.unlock();
        }
    }

    private void store(OperableTrigger trigger) throws JobPersistenceException {
        synchronized (lock) {
            shelf.notAcquired(trigger.getKey());
            super.storeTrigger(trigger, true);
            if (shelf.isPaused(trigger.getKey())) {
                super.pauseTrigger(trigger.getKey());
            }
        }
        if (signaler != null && trigger.getNextFireTime() != null) {
            signaler.signalSchedulingChange(
                    trigger.getNextFireTime().toInstant().toEpochMilli());
        }
    }

    boolean has(OneOff fire) {
        claimLock.lock();
        try {
            return shelf.oneOff(fire.key()) != null;
        } finally {
            claimLock.unlock();
        }
    }

    /** What a trigger on hold has missed up to now; null if nothing, or if it is not of this configuration. */
    OnHold.@Nullable Waiting waiting(TriggerKey key, Instant now) {
        claimLock.lock();
        try {
            Track track = shelf.track(key);
            return track == null ? null : track.waiting(now, in.planner());
        } finally {
            claimLock.unlock();
        }
    }

    /** Pauses and resumes so that exactly what {@code covered} says is paused. What came due meanwhile was missed. */
    void pauseExactly(Predicate<Track> covered, Predicate<OneOff> coveredOneOff, Function<Track, Gap> why) {
        exclusively(() -> resuming.pauseExactly(covered, coveredOneOff, why));
    }

    /** Spreads what a trigger replays; before it is taken. */
    void pace(Track track) {
        exclusively(() -> claims.moved(track, track.cursor()));
    }

    /** Blocks a job that may not overlap while it runs elsewhere, or here unknown to Quartz. */
    void block(JobKey job) {
        exclusively(() -> {
            synchronized (lock) {
                blockedJobs.add(job);
            }
            renew(job);
        });
    }

    /** Lets a blocked job go, with the data its last run left. */
    void unblock(JobDetail fresh) {
        exclusively(() -> {
            SimpleTriggerImpl none = new SimpleTriggerImpl();
            none.setKey(new TriggerKey("none", "io.latchkey.unblock"));
            super.triggeredJobComplete(none, fresh, CompletedExecutionInstruction.NOOP);
            boolean wasBlocked;
            synchronized (lock) {
                // Quartz does not think of a job that was blocked and may overlap by now.
                wasBlocked = blockedJobs.remove(fresh.getKey());
            }
            if (wasBlocked) {
                renew(fresh.getKey());
            }
        });
    }

    /** Lets a blocked job go that is not in the configuration; should it come back, it can run. */
    void unblock(JobKey job) {
        synchronized (lock) {
            blockedJobs.remove(job);
        }
    }

    private void renew(JobKey job) {
        for (Track track : shelf.tracks()) {
            if (track.spec().job().equals(job)) {
                renew(track, null);
            }
        }
        for (OneOff fire : shelf.oneOffs()) {
            if (fire.job().equals(job)) {
                renew(null, fire);
            }
        }
    }

    // ---- what the watchdog asks

    /** Since when, on {@code nanoTime}, the scheduler's thread has not been heard of. */
    long lastContactNanos() {
        return lastContactNanos;
    }

    /** The trigger that has waited longest since before {@code limit} and could run, if there is one. */
    Optional<Track> overdue(Instant limit) {
        for (Track track : shelf.tracks()) {
            Instant askAt = track.askAt();
            if (askAt != null && askAt.isBefore(limit) && isWaiting(track.key())) {
                return Optional.of(track);
            }
        }
        return Optional.empty();
    }

    /** How long the trigger has waited that has waited longest and could run; zero if none has. */
    Duration overdue() {
        Instant now = in.now();
        Instant oldest = now;
        for (Track track : shelf.tracks()) {
            Instant askAt = track.askAt();
            if (askAt != null && askAt.isBefore(oldest) && isWaiting(track.key())) {
                oldest = askAt;
            }
        }
        return Duration.between(oldest, now);
    }

    private boolean isWaiting(TriggerKey key) {
        try {
            return super.getTriggerState(key) == org.quartz.Trigger.TriggerState.NORMAL;
        } catch (JobPersistenceException e) {
            log.error("The state of trigger {} cannot be told", key, e);
            return false;
        }
    }

    // ---- what Quartz calls

    @Override
    public void setMisfireThreshold(long misfireThreshold) {
        // Ours is switched off, see above; the setting is scheduler.misfire-threshold.
    }

    @Override
    public List<OperableTrigger> acquireNextTriggers(long noLaterThan, int maxCount, long timeWindow) {
        lastContactNanos = System.nanoTime();
        if (!in.term().gate().isOpen()) {
            return new ArrayList<>();
        }
        wallClock.jumpedAhead().ifPresent(ahead -> exclusively(() -> resuming.clockJumped(ahead)));
        List<OperableTrigger> next = super.acquireNextTriggers(noLaterThan, maxCount, timeWindow);
        for (OperableTrigger trigger : next) {
            shelf.acquired(trigger);
        }
        return next;
    }

    @Override
    public void releaseAcquiredTrigger(OperableTrigger trigger) {
        lastContactNanos = System.nanoTime();
        shelf.released(trigger);
        super.releaseAcquiredTrigger(trigger);
    }

    @Override
    public List<TriggerFiredResult> triggersFired(List<OperableTrigger> triggers) {
        lastContactNanos = System.nanoTime();
        List<@Nullable TriggerFiredResult> results = new ArrayList<>();
        claimLock.lock();
        try {
            // Quartz waits between acquiring and firing: a jump meanwhile would make a miss look like lateness. What is
            // due is
            // judged by a time read before the look for a jump: read after it, it could be beyond one that was not
            // seen.
            Instant now = in.now();
            wallClock.jumpedAhead().ifPresent(resuming::clockJumped);
            firing.fire(triggers, now, results);
        } catch (Throwable t) {
            // Whatever it is: thrown on, it would leave triggers acquired for ever or end the scheduler's thread.
            faults.report("Firing " + triggers.size() + " triggers failed; those not claimed are asked for again", t);
        } finally {
            claimLock.unlock();
            lastContactNanos = System.nanoTime();
        }
        return Firing.complete(triggers.size(), results);
    }

    /** Quartz's own store moves its trigger on and blocks a job that may not overlap; empty if the trigger is gone. */
    List<TriggerFiredResult> moveOn(OperableTrigger trigger) {
        return super.triggersFired(List.of(trigger));
    }

    void remove(OneOff fire) {
        shelf.remove(fire);
        super.removeTrigger(fire.key());
    }

    /** Puts the stored trigger right after what was planned; a failure is ours to mend, and the term goes on. */
    void renew(@Nullable Track track, @Nullable OneOff oneOff) {
        try {
            if (track != null) {
                put(track);
            } else if (oneOff != null) {
                put(oneOff);
            }
        } catch (JobPersistenceException e) {
            log.error(
                    "Trigger {} could not be put back; the next term has it again",
                    track != null ? track.key() : oneOff,
                    e);
        }
    }

    @Override
    public void triggeredJobComplete(
            OperableTrigger trigger, JobDetail detail, CompletedExecutionInstruction instruction) {
        // In one piece: a job that is replaced meanwhile is replaced before or after.
        synchronized (lock) {
            boolean older = underWay.isOfOlderConf(trigger);
            if (underWay.ended(trigger, detail, instruction) != null) {
                complete(trigger, detail, older);
            }
        }
    }

    private void complete(OperableTrigger trigger, JobDetail detail, boolean ofOlderConf) {
        JobDetail left = detail;
        if (ofOlderConf) {
            JobDetail stored = super.retrieveJob(detail.getKey());
            if (stored != null
                    && stored.isConcurrentExecutionDisallowed()
                    && !detail.isConcurrentExecutionDisallowed()) {
                // It began when the job could overlap: recovery lets the job go when the last of these has ended.
                return;
            }
            // Over what the files say now, not over what they said when it began.
            left = in.catalog()
                    .job(detail.getKey())
                    .map(spec -> JobData.detail(spec, detail.getJobDataMap()))
                    .orElse(detail);
        }
        super.triggeredJobComplete(trigger, left, CompletedExecutionInstruction.NOOP);
    }

    /** The frame around a run has ended, whether it told the store so or not: nothing may stay blocked by it. */
    void frameEnded(FiredBundle bundle) {
        OperableTrigger trigger = bundle.getTrigger();
        if (underWay.has(trigger)) {
            if (!bundle.flight().isClosed()) {
                log.error(
                        "The run of {} ended without an outcome",
                        bundle.flight().id());
            }
            triggeredJobComplete(trigger, bundle.getJobDetail(), CompletedExecutionInstruction.NOOP);
        }
        underWay.left(bundle.flight());
    }
}
