package io.latchkey.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;

/**
 * The record of a claimed fire: who holds it, later what became of it, until the history has it. Every change after the
 * claim is a write at the version it was read at, so of two that would decide it only one stands.
 *
 * @param id the fire
 * @param job the job it runs
 * @param info what a later leader must know
 * @param current the claim in force
 * @param earlier claims that were tried again or that recovery took over, oldest first
 * @param state how far it is
 * @param outcome what became of it; null until DONE
 */
public record RunningRecord(
        FireId id,
        JobKey job,
        RunInfo info,
        Attempt current,
        List<Attempt> earlier,
        State state,
        @Nullable Outcome outcome) {

    /** How far a claimed fire is. */
    public enum State {
        /** Held by its owner, perhaps running. */
        CLAIMED,
        /** An attempt that was never started, given back or yet to be made: whoever leads runs it, as this attempt. */
        RELEASED,
        /** Ended: it has an outcome, and waits for the history. */
        DONE
    }

    public RunningRecord {
        earlier = List.copyOf(earlier);
        if ((state == State.DONE) != (outcome != null)) {
            throw new IllegalArgumentException(id + ": a record has an outcome when it is DONE, and only then");
        }
    }

    /** A new claim of a fire that has no record yet. */
    public static RunningRecord claimed(FireId id, JobKey job, RunInfo info, Attempt attempt) {
        return new RunningRecord(id, job, info, attempt, List.of(), State.CLAIMED, null);
    }

    /** The record that stands for skipped slots: named by the last of them. */
    public static RunningRecord skipped(Skipped skipped, Attempt by) {
        return new RunningRecord(
                new FireId(skipped.trigger(), skipped.last()),
                skipped.job(),
                new RunInfo(false, false, new Missed(skipped.count(), skipped.first(), false), Map.of()),
                by,
                List.of(),
                State.DONE,
                new Outcome(Outcome.Kind.SKIPPED, by.claimed(), Duration.ZERO, skipped.why(), skipped.count()));
    }

    /** When the fire is due. */
    public Instant slot() {
        return id.slot();
    }

    /** Who holds it. */
    public Owner owner() {
        return current.owner();
    }

    /** This record given back, never started. */
    public RunningRecord released() {
        return new RunningRecord(id, job, info, current, earlier, State.RELEASED, null);
    }

    /**
     * This record after an attempt that ended badly and is tried again: given back as the next attempt, which waits. An
     * instance of a version that knows no retries runs that at once.
     */
    public RunningRecord again(Outcome ended, Retry retry) {
        List<Attempt> past = new ArrayList<>(earlier);
        past.add(current.ended(ended));
        return new RunningRecord(id, job, info, current.next(ended.at(), retry), past, State.RELEASED, null);
    }

    /** When its next attempt is made, if that waits. */
    public Optional<Retry> retry() {
        return Optional.ofNullable(current.retry());
    }

    /** How many of its attempts have failed and were tried again. */
    public int failures() {
        return (int) earlier.stream()
                .map(Attempt::ended)
                .filter(ended -> ended != null && ended.kind() == Outcome.Kind.FAILED)
                .count();
    }

    /** This record, ended. */
    public RunningRecord done(Outcome end) {
        return new RunningRecord(id, job, info, current, earlier, State.DONE, end);
    }

    /** This record in new hands; a claim that may have run is kept among the earlier ones, a released one is not. */
    public RunningRecord retaken(Attempt next) {
        List<Attempt> past = earlier;
        if (state != State.RELEASED) {
            past = new ArrayList<>(earlier);
            past.add(current);
        }
        return new RunningRecord(id, job, info, next, past, State.CLAIMED, null);
    }
}
