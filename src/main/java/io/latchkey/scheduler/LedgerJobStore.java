package io.latchkey.scheduler;

import io.latchkey.conf.Durations;
import io.latchkey.ledger.ClaimRequest;
import io.latchkey.ledger.ClaimResult;
import io.latchkey.ledger.Claimed;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.Plan;
import io.latchkey.lifecycle.Faults;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDataMap;
import org.quartz.JobDetail;
import org.quartz.JobKey;
import org.quartz.JobPersistenceException;
import org.quartz.Trigger.CompletedExecutionInstruction;
import org.quartz.TriggerKey;
import org.quartz.impl.triggers.SimpleTriggerImpl;
import org.quartz.simpl.RAMJobStore;
import org.quartz.spi.OperableTrigger;
import org.quartz.spi.TriggerFiredBundle;
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
    /** Quartz's own misfire handling rewrites times; so far back nothing is ever late to it. */
    private static final long MISFIRES_OFF_MILLIS = Long.MAX_VALUE / 4;

    private static final Duration RETRY = Duration.ofMinutes(1);

    private final TermContext in;
    private final Claims claims;
    private final Faults faults;
    private final Consumer<FireId> whenGivenBack;

    private final ReentrantLock claimLock = new ReentrantLock();
    private final Map<TriggerKey, Track> tracks = new ConcurrentHashMap<>();
    private final Map<TriggerKey, OneOff> oneOffs = new HashMap<>();
    private final Set<TriggerKey> paused = new HashSet<>();
    private final Map<TriggerKey, String> acquired = new ConcurrentHashMap<>();
    private final Map<String, Flight> flights = new ConcurrentHashMap<>();
    private final WallClock wallClock;
    private volatile long lastContactNanos = System.nanoTime();

    /** @param whenGivenBack told of a fire that was claimed here and given back; must return at once */
    LedgerJobStore(TermContext in, Faults faults, Consumer<FireId> whenGivenBack) {
        this.in = in;
        this.claims = new Claims(in);
        this.faults = faults;
        this.whenGivenBack = whenGivenBack;
        this.wallClock =
                new WallClock(in.clock(), System::nanoTime, in.settings().misfireThreshold());
        this.misfireThreshold = MISFIRES_OFF_MILLIS;
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

    /** Takes a trigger, or renews its state after its track has changed. */
    void put(Track track) throws JobPersistenceException {
        claimLock.lock();
        try {
            tracks.put(track.key(), track);
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
        claimLock.lock();
        try {
            oneOffs.put(fire.key(), fire);
            store(fire.forStore(in.now()));
        } finally {
            claimLock.unlock();
        }
    }

    private void store(OperableTrigger trigger) throws JobPersistenceException {
        synchronized (lock) {
            acquired.remove(trigger.getKey());
            super.storeTrigger(trigger, true);
            if (paused.contains(trigger.getKey())) {
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
            return oneOffs.containsKey(fire.key());
        } finally {
            claimLock.unlock();
        }
    }

    /** The job of a configured trigger. */
    Optional<JobKey> jobOf(TriggerKey key) {
        return Optional.ofNullable(tracks.get(key)).map(track -> track.spec().job());
    }

    /** Pauses and resumes so that exactly what {@code covered} says is paused. What came due meanwhile was missed. */
    void pauseExactly(Predicate<Track> covered, Predicate<OneOff> coveredOneOff) {
        claimLock.lock();
        try {
            for (Track track : List.copyOf(tracks.values())) {
                boolean wanted = covered.test(track);
                if (wanted && paused.add(track.key())) {
                    acquired.remove(track.key());
                    super.pauseTrigger(track.key());
                } else if (!wanted && paused.remove(track.key())) {
                    resume(track);
                }
            }
            for (OneOff fire : List.copyOf(oneOffs.values())) {
                boolean wanted = coveredOneOff.test(fire);
                if (wanted && paused.add(fire.key())) {
                    acquired.remove(fire.key());
                    super.pauseTrigger(fire.key());
                } else if (!wanted && paused.remove(fire.key())) {
                    renew(null, fire);
                }
            }
        } finally {
            claimLock.unlock();
        }
    }

    private void resume(Track track) {
        catchUp(track);
        renew(track, null);
    }

    /** What came due up to now was missed: skips what the instruction says, and paces what is replayed. */
    private void catchUp(Track track) {
        Instant now = in.now();
        track.missedUntil(now);
        Plan plan = track.plan(now, in.planner());
        if (plan.run().isEmpty() && plan.skip().isPresent()) {
            claims.skip(track, plan);
        } else {
            claims.moved(track, track.cursor());
        }
    }

    /** Spreads what a trigger replays; before it is taken. */
    void pace(Track track) {
        claimLock.lock();
        try {
            claims.moved(track, track.cursor());
        } finally {
            claimLock.unlock();
        }
    }

    /** Blocks a job that may not overlap while it runs elsewhere; before its triggers are taken. */
    void block(JobKey job) {
        synchronized (lock) {
            blockedJobs.add(job);
        }
    }

    /** Lets a blocked job go, with the data its last run left. */
    void unblock(JobDetail fresh) {
        SimpleTriggerImpl none = new SimpleTriggerImpl();
        none.setKey(new TriggerKey("none", "io.latchkey.unblock"));
        super.triggeredJobComplete(none, fresh, CompletedExecutionInstruction.NOOP);
    }

    // ---- what the watchdog asks

    /** Since when, on {@code nanoTime}, the scheduler's thread has not been heard of. */
    long lastContactNanos() {
        return lastContactNanos;
    }

    /** The trigger that has waited longest since before {@code limit} and could run, if there is one. */
    Optional<Track> overdue(Instant limit) {
        for (Track track : tracks.values()) {
            Instant askAt = track.askAt();
            if (askAt != null && askAt.isBefore(limit) && isWaiting(track.key())) {
                return Optional.of(track);
            }
        }
        return Optional.empty();
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
        wallClock.jumpedAhead().ifPresent(this::clockJumped);
        List<OperableTrigger> next = super.acquireNextTriggers(noLaterThan, maxCount, timeWindow);
        for (OperableTrigger trigger : next) {
            acquired.put(trigger.getKey(), trigger.getFireInstanceId());
        }
        return next;
    }

    /** What the clock jumped over was missed, not late: nobody was there at that time. */
    private void clockJumped(Duration ahead) {
        log.warn(
                "The clock of this machine jumped ahead by {}: what came due in between was missed, and each trigger's"
                        + " misfire instruction decides",
                Durations.format(ahead.truncatedTo(ChronoUnit.SECONDS)));
        claimLock.lock();
        try {
            Instant now = in.now();
            for (Track track : List.copyOf(tracks.values())) {
                Instant next = track.cursor().next();
                if (next != null && next.isBefore(now) && !paused.contains(track.key())) {
                    resume(track);
                }
            }
        } catch (RuntimeException e) {
            log.error("What the clock jumped over could not be planned; it runs late instead", e);
        } finally {
            claimLock.unlock();
        }
    }

    @Override
    public void releaseAcquiredTrigger(OperableTrigger trigger) {
        lastContactNanos = System.nanoTime();
        acquired.remove(trigger.getKey(), trigger.getFireInstanceId());
        super.releaseAcquiredTrigger(trigger);
    }

    @Override
    public List<TriggerFiredResult> triggersFired(List<OperableTrigger> triggers) {
        lastContactNanos = System.nanoTime();
        List<@Nullable TriggerFiredResult> results = new ArrayList<>();
        claimLock.lock();
        try {
            // Quartz waits between acquiring and firing: a jump meanwhile would make a miss look like lateness.
            wallClock.jumpedAhead().ifPresent(this::clockJumped);
            fire(triggers, results);
        } catch (Throwable t) {
            // Whatever it is: thrown on, it would leave triggers acquired for ever or end the scheduler's thread.
            faults.report("Firing " + triggers.size() + " triggers failed; those not claimed are asked for again", t);
        } finally {
            claimLock.unlock();
            lastContactNanos = System.nanoTime();
        }
        return complete(triggers.size(), results);
    }

    /** One answer for each trigger: what has none did not fire, and Quartz releases it. */
    private static List<TriggerFiredResult> complete(int size, List<@Nullable TriggerFiredResult> results) {
        List<TriggerFiredResult> all = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            TriggerFiredResult result = i < results.size() ? results.get(i) : null;
            all.add(result == null ? NotFired.RESULT : result);
        }
        return all;
    }

    private record Ask(
            int index,
            OperableTrigger trigger,
            @Nullable Track track,
            @Nullable OneOff oneOff,
            ClaimRequest request) {}

    private void fire(List<OperableTrigger> triggers, List<@Nullable TriggerFiredResult> results) {
        List<Ask> asks = new ArrayList<>();
        for (int i = 0; i < triggers.size(); i++) {
            results.add(null);
            Ask ask = planned(i, triggers.get(i));
            if (ask != null) {
                asks.add(ask);
            }
        }
        // Asked once more: this thread may have waited for the lock.
        if (asks.isEmpty() || !in.term().gate().isOpen()) {
            return;
        }
        List<ClaimResult> answers;
        try {
            answers = in.fenced().claim(asks.stream().map(Ask::request).toList());
        } catch (RuntimeException | Error e) {
            faults.report("Claiming " + asks.size() + " fires failed; the lead is given up, recovery decides them", e);
            in.term().over("claiming failed: " + e);
            return;
        }
        for (int i = 0; i < asks.size(); i++) {
            Ask ask = asks.get(i);
            ClaimResult answer = answers.get(i);
            if (answer instanceof Claimed claimed) {
                results.set(ask.index(), claimed(ask, claimed));
            } else if (answer instanceof ClaimResult.NotClaimed refused) {
                refused(ask, refused);
            }
        }
    }

    private @Nullable Ask planned(int index, OperableTrigger trigger) {
        try {
            return ask(index, trigger);
        } catch (RuntimeException e) {
            // One trigger that cannot be planned must not hold up the others, nor be asked for without a pause.
            log.error(
                    "Trigger {} could not be planned; it is tried again in {}, all others go on",
                    trigger.getKey(),
                    Durations.format(RETRY),
                    e);
            Track track = tracks.get(trigger.getKey());
            if (track != null) {
                track.askNotBefore(in.now().plus(RETRY));
                renew(track, null);
            }
            return null;
        }
    }

    private @Nullable Ask ask(int index, OperableTrigger trigger) {
        TriggerKey key = trigger.getKey();
        if (!acquired.remove(key, trigger.getFireInstanceId())
                || !in.term().gate().isOpen()) {
            return null;
        }
        OneOff oneOff = oneOffs.get(key);
        if (oneOff != null) {
            return new Ask(index, trigger, null, oneOff, oneOff.claim());
        }
        Track track = tracks.get(key);
        if (track == null) {
            return null;
        }
        ClaimRequest.Due due = claims.due(track);
        if (due == null) {
            renew(track, null);
            return null;
        }
        return new Ask(index, trigger, track, null, due);
    }

    private TriggerFiredResult claimed(Ask ask, Claimed claimed) {
        Flight flight = new Flight(claimed, in.term(), in.ledger(), in.running(), goesOnWithoutLead(ask, claimed));
        in.running().add(flight);
        try {
            return toRun(ask, flight);
        } catch (RuntimeException e) {
            log.error("Fire {} was claimed but could not be handed to Quartz", claimed.id(), e);
            giveBack(flight, "it could not be handed to Quartz");
            return NotFired.RESULT;
        }
    }

    private boolean goesOnWithoutLead(Ask ask, Claimed claimed) {
        JobDetail job = super.retrieveJob(claimed.record().job());
        Track track = ask.track();
        JobDataMap trigger =
                track == null ? new JobDataMap() : new JobDataMap(track.spec().data());
        return job != null && JobData.continuesWithoutLead(job.getJobDataMap(), trigger);
    }

    private TriggerFiredResult toRun(Ask ask, Flight flight) {
        Track track = ask.track();
        OneOff oneOff = ask.oneOff();
        if (track != null && ask.request() instanceof ClaimRequest.Due due) {
            claims.moved(track, due.after());
            due.skip().ifPresent(Claims::logSkip);
        }
        // Quartz's own store moves its trigger on and blocks a job that may not overlap.
        List<TriggerFiredResult> moved = super.triggersFired(List.of(ask.trigger()));
        if (oneOff != null) {
            oneOffs.remove(oneOff.key());
            super.removeTrigger(oneOff.key());
        }
        if (moved.isEmpty()) {
            giveBack(flight, "its trigger was taken away meanwhile");
            return NotFired.RESULT;
        }
        if (track != null && !isDueAt(track)) {
            renew(track, null);
        }
        OperableTrigger seen = track != null ? track.forRun() : oneOff != null ? oneOff.forRun() : ask.trigger();
        seen.setFireInstanceId(ask.trigger().getFireInstanceId());
        flights.put(seen.getFireInstanceId(), flight);
        FiredBundle.Slots slots = new FiredBundle.Slots(
                flight.id().slot(),
                track == null ? null : previousOf(ask),
                track == null ? null : track.cursor().next(),
                oneOff != null && oneOff.recovering());
        JobDetail detail = moved.get(0).getTriggerFiredBundle().getJobDetail();
        return new TriggerFiredResult(new FiredBundle(flight, detail, seen, in.now(), slots));
    }

    private static @Nullable Instant previousOf(Ask ask) {
        java.util.Date before = ask.trigger().getPreviousFireTime();
        return before == null ? null : before.toInstant();
    }

    /** Whether Quartz's trigger, moved on by Quartz itself, is due when its track is. */
    private boolean isDueAt(Track track) {
        OperableTrigger stored = super.retrieveTrigger(track.key());
        Instant askAt = track.askAt();
        return askAt != null
                && stored != null
                && stored.getNextFireTime() != null
                && stored.getNextFireTime().toInstant().equals(askAt);
    }

    private void refused(Ask ask, ClaimResult.NotClaimed refused) {
        claims.refused(ask.track(), ask.request(), refused);
        OneOff oneOff = ask.oneOff();
        if (oneOff != null && !(refused instanceof ClaimResult.Refused)) {
            oneOffs.remove(oneOff.key());
            super.removeTrigger(oneOff.key());
            whenGivenBack.accept(oneOff.id());
        } else {
            renew(ask.track(), oneOff);
        }
    }

    /** Puts the stored trigger right after what was planned; a failure is ours to mend, and the term goes on. */
    private void renew(@Nullable Track track, @Nullable OneOff oneOff) {
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
        Flight flight = flights.remove(trigger.getFireInstanceId());
        if (flight == null) {
            return;
        }
        if (!flight.isClosed()) {
            if (instruction == CompletedExecutionInstruction.SET_ALL_JOB_TRIGGERS_ERROR) {
                giveBack(flight, "no thread took it");
            } else {
                flight.skip(in.now(), "a trigger listener vetoed it");
            }
        } else if (instruction != CompletedExecutionInstruction.NOOP
                && instruction != CompletedExecutionInstruction.DELETE_TRIGGER) {
            log.warn(
                    "Job {} asked to be unscheduled ({}); that is ignored: take its trigger out of the job files",
                    detail.getKey(),
                    flight.id());
        }
        super.triggeredJobComplete(trigger, detail, CompletedExecutionInstruction.NOOP);
    }

    /** The frame around a run has ended, whether it told the store so or not: nothing may stay blocked by it. */
    void frameEnded(FiredBundle bundle) {
        Flight flight = bundle.flight();
        OperableTrigger trigger = bundle.getTrigger();
        if (flights.containsKey(trigger.getFireInstanceId())) {
            if (!flight.isClosed()) {
                log.error("The run of {} ended without an outcome", flight.id());
            }
            triggeredJobComplete(trigger, bundle.getJobDetail(), CompletedExecutionInstruction.NOOP);
        }
        if (flight.isClosed() && !flight.started()) {
            whenGivenBack.accept(flight.id());
        }
    }

    private void giveBack(Flight flight, String why) {
        if (flight.giveBack(why)) {
            whenGivenBack.accept(flight.id());
        }
    }

    /** How many jobs this term's scheduler has under way. */
    int underWay() {
        return flights.size();
    }

    private static final class NotFired {
        /** An answer without a bundle: did not fire, no error. */
        private static final TriggerFiredResult RESULT = new TriggerFiredResult(nothing());

        // The type chooses the constructor.
        private static @Nullable TriggerFiredBundle nothing() {
            return null;
        }
    }
}
