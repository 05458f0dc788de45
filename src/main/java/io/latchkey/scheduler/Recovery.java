package io.latchkey.scheduler;

import io.latchkey.conf.Durations;
import io.latchkey.conf.RunPolicy;
import io.latchkey.election.Gate;
import io.latchkey.jobs.JobSpec;
import io.latchkey.ledger.Attempt;
import io.latchkey.ledger.ClaimRequest;
import io.latchkey.ledger.DecideResult;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.Held;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.Retry;
import io.latchkey.ledger.RunningRecord;
import io.latchkey.ledger.RunningRecord.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.JobPersistenceException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides the fires that earlier terms claimed and that have no outcome: at load, and whenever an instance goes while the
 * term lasts. Owner alive, or the job still running in this very process: left alone, and a job that may not overlap
 * stays blocked. Never started: run, as the same attempt. Owner gone: run again if the job asks for it and has attempts left,
 * else abandoned. Each decision is a versioned write, so that an owner's late outcome and this one cannot both stand.
 *
 * <p>Used by one thread at a time: the leadership thread at load, the keeper after that.
 */
final class Recovery {
    private static final Logger log = LoggerFactory.getLogger(Recovery.class);

    private final TermContext in;
    private final LedgerJobStore store;
    /** Only asked for emptiness by other threads. */
    private final Map<FireId, Held> watched = new ConcurrentHashMap<>();

    private final Map<JobKey, Set<FireId>> blocks = new HashMap<>();
    private Predicate<OneOff> paused = fire -> false;

    Recovery(TermContext in, LedgerJobStore store) {
        this.in = in;
        this.store = store;
    }

    /** Says which fires wait for an operator. */
    void paused(Predicate<OneOff> covered) {
        paused = covered;
    }

    /** Blocks the jobs whose last run may go on, elsewhere or here. To be called before the store has any trigger. */
    void block(List<Held> running, Set<String> live) {
        for (Held held : running) {
            if (held.record().state() != State.DONE && runsOn(held.record(), live)) {
                block(held);
            }
        }
        // A run left from a lost session may have been decided by another leader since: the records do not show it.
        for (RunningRecord record : in.running().records()) {
            if (!watched.containsKey(record.id())) {
                block(new Held(record, 0));
            }
        }
    }

    /** Blocks a job that could overlap until now, until all of its runs here have ended. */
    void blockWhileRunningHere(JobKey job) {
        for (RunningRecord record : in.running().records()) {
            if (record.job().equals(job) && !watched.containsKey(record.id())) {
                block(new Held(record, 0));
            }
        }
    }

    private void block(Held held) {
        RunningRecord record = held.record();
        watched.put(record.id(), held);
        JobSpec job = in.catalog().job(record.job()).orElse(null);
        if (record.info().nonConcurrent() || (job != null && job.nonConcurrent())) {
            blocks.computeIfAbsent(record.job(), key -> new HashSet<>()).add(record.id());
            store.block(record.job());
            log.info(
                    "Job {} stays blocked while {} still runs it ({})",
                    record.job(),
                    record.owner().instance(),
                    record.id());
        }
    }

    /** Decides all others. To be called once the store has its jobs. */
    void decide(List<Held> running) {
        List<Held> left = running.stream()
                .filter(held -> held.record().state() != State.DONE
                        && !watched.containsKey(held.record().id()))
                .toList();
        Crashes.tell(left.stream().filter(this::ownerWent).toList());
        left.forEach(this::decide);
    }

    private boolean ownerWent(Held held) {
        return !neverStarted(held.record());
    }

    /** Looks again at a fire of this term that was given back, or whose claim was not granted. */
    void watch(FireId id) throws LedgerException {
        Held held = in.fenced().read(id).orElse(null);
        if (held != null && held.record().state() != State.DONE) {
            watched.put(id, held);
        }
    }

    /** Looks again at a fire that waited here and is not to be run as it was going to be. */
    void lookAgain(Held held) {
        watched.put(held.record().id(), held);
    }

    boolean isWatching() {
        return !watched.isEmpty();
    }

    /** Looks at all fires that were left alone: ended, given back, or their owner gone meanwhile? */
    void check() throws LedgerException {
        if (watched.isEmpty()) {
            return;
        }
        Set<String> live = in.fenced().liveIncarnations();
        List<Held> left = new ArrayList<>();
        for (FireId id : List.copyOf(watched.keySet())) {
            if (in.running().isHere(id)) {
                continue;
            }
            Held held = in.fenced().read(id).orElse(null);
            if (held == null || held.record().state() == State.DONE) {
                letGo(id, held);
            } else if (!runsOn(held.record(), live)) {
                letGo(id, held);
                left.add(held);
            }
        }
        Crashes.tell(left.stream().filter(this::ownerWent).toList());
        left.forEach(this::decide);
    }

    /** Whether somebody may still run it: here, whatever its record says, or where the owner of a claim lives. */
    private boolean runsOn(RunningRecord record, Set<String> live) {
        if (in.running().isHere(record.id())) {
            return true;
        }
        return record.state() == State.CLAIMED
                && !isOwn(record)
                && live.contains(record.owner().incarnation());
    }

    private boolean isOwn(RunningRecord record) {
        return record.owner().incarnation().equals(in.term().incarnation());
    }

    /** Given back, or claimed by this very session and not known here: a claim whose answer never came. Nobody ran it. */
    private boolean neverStarted(RunningRecord record) {
        return record.state() == State.RELEASED
                || (isOwn(record) && in.running().unrecorded(record).isEmpty());
    }

    private void letGo(FireId id, @Nullable Held held) throws LedgerException {
        Held before = watched.remove(id);
        JobKey job = held != null
                ? held.record().job()
                : before != null ? before.record().job() : null;
        Set<FireId> blocking = job == null ? null : blocks.get(job);
        if (job == null || blocking == null || !blocking.remove(id) || !blocking.isEmpty()) {
            return;
        }
        blocks.remove(job);
        JobSpec spec = in.catalog().job(job).orElse(null);
        if (spec != null) {
            // Its data as that last run left it, read only now that the run is over.
            Optional<Map<String, @Nullable Object>> data =
                    spec.persistData() ? in.fenced().jobData(job) : Optional.empty();
            store.unblock(JobData.detail(spec, data.orElse(null)));
            log.info("Job {} is let go: {} has ended", job, id);
        } else {
            store.unblock(job);
        }
    }

    private void decide(Held held) {
        RunningRecord record = held.record();
        Optional<JobSpec> job = in.catalog().job(record.job());
        Optional<Outcome> endedHere = in.running()
                .unrecorded(record)
                .filter(outcome -> outcome.kind() == Outcome.Kind.SUCCEEDED || outcome.kind() == Outcome.Kind.FAILED);
        if (job.isEmpty()) {
            abandon(held, "its job is not in the configuration any more");
        } else if (endedHere.isPresent()) {
            abandon(
                    held,
                    "it ran to its end (" + endedHere.get().kind()
                            + ") on this instance, which had lost its session and could not record that");
        } else if (record.retry().filter(retry -> retry.isOver(in.now())).isPresent()) {
            abandon(held, "it failed, and the next fire of its trigger came due before it could be tried again");
        } else if (neverStarted(record)) {
            // As given back, also where that is not written yet: the same attempt, and no earlier one.
            retake(new Held(record.released(), held.version()), false);
        } else if (!job.get().recover()) {
            abandon(
                    held,
                    "its instance " + record.owner().instance() + " is gone and the job does not request recovery");
        } else if (record.current().number() >= mostAttempts(job.get(), record)) {
            abandon(
                    held,
                    "its instance " + record.owner().instance() + " is gone, and "
                            + record.current().number() + " attempts were made (scheduler.max-attempts): it was in"
                            + " flight at each of the last " + Crashes.of(record) + " crashes of its instance");
        } else {
            retake(held, true);
        }
    }

    private int mostAttempts(JobSpec job, RunningRecord record) {
        return in.mostAttempts(in.catalog().runs(job.key(), record.id().trigger()));
    }

    private void retake(Held held, boolean recovering) {
        RunningRecord record = held.record();
        int next = record.current().number() + 1;
        Duration pause = Crashes.pauseBefore(record);
        Retry retry = record.retry().orElse(null);
        if (retry != null) {
            log.info(
                    "Fire {} of job {} is tried again here at {}, as attempt {}",
                    record.id(),
                    record.job(),
                    retry.notBefore(),
                    record.current().number());
        } else if (recovering) {
            log.warn(
                    "Fire {} of job {} was left by {}, which is gone; it is run again here (attempt {}){}",
                    record.id(),
                    record.job(),
                    record.owner().instance(),
                    next,
                    pause.isZero() ? "" : " in " + Durations.format(pause));
        } else {
            log.info("Fire {} of job {} was given back before it started; it is run here", record.id(), record.job());
        }
        OneOff fire = new OneOff(
                new ClaimRequest.Retake(held),
                record.job(),
                in.catalog().trigger(record.id().trigger()),
                recovering || lastOneDied(record),
                record.info().data());
        try {
            store.put(fire, paused.test(fire));
        } catch (JobPersistenceException e) {
            log.error("Fire {} could not be taken over; it is looked at again", record.id(), e);
            watched.put(record.id(), held);
        }
    }

    /** Whether the attempt before was cut short by its instance: Quartz calls what comes after that recovering. */
    private static boolean lastOneDied(RunningRecord record) {
        List<Attempt> earlier = record.earlier();
        if (earlier.isEmpty()) {
            return false;
        }
        Outcome ended = earlier.get(earlier.size() - 1).ended();
        return ended == null || ended.kind() == Outcome.Kind.INTERRUPTED;
    }

    private void abandon(Held held, String why) {
        RunningRecord record = held.record();
        DecideResult result = in.fenced().abandon(held, why);
        if (result instanceof DecideResult.Decided decided) {
            log.warn("Fire {} of job {} is abandoned: {}", record.id(), record.job(), why);
            RunPolicy policy = in.catalog().runs(record.job(), record.id().trigger());
            in.running().hooks().call(policy, decided.now().record());
        } else if (result instanceof DecideResult.Overtaken overtaken) {
            log.info("Fire {} was decided by someone else meanwhile: {}", record.id(), overtaken.why());
            watched.put(record.id(), held);
        } else if (result instanceof DecideResult.Fenced fenced) {
            in.term().over(Gate.Cause.FENCED, "a recovery decision was refused at the fence: " + fenced.reason());
        } else if (result instanceof DecideResult.GivenUp givenUp) {
            in.term()
                    .over(Gate.Cause.UNKNOWN_WRITE, "a recovery decision is not known to be written: " + givenUp.why());
        }
    }
}
