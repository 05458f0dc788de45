package io.latchkey.scheduler;

import io.latchkey.election.Gate;
import io.latchkey.ledger.ClaimRequest;
import io.latchkey.ledger.ClaimResult;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.CursorWrite;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.Plan;
import io.latchkey.ledger.Skipped;
import io.latchkey.ledger.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Between a trigger that Quartz says is due and the ledger: which slot to claim, and what a refusal means for the
 * trigger. Guarded by the job store's claim lock.
 */
final class Claims {
    private static final Logger log = LoggerFactory.getLogger(Claims.class);
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final int MOST_DOUBLINGS = 6;

    private final TermContext in;
    private final Pacer pacer;

    Claims(TermContext in) {
        this.in = in;
        this.pacer = new Pacer(in.settings().catchUpPerSecond());
    }

    /** What to claim for a trigger that is due; null if nothing is, after its cursor was moved past what is skipped. */
    ClaimRequest.@Nullable Due due(Track track, Instant now) {
        Plan plan = track.plan(now, in.planner());
        Plan.Slot run = plan.run().orElse(null);
        if (run == null) {
            skip(track, plan);
            return null;
        }
        return new ClaimRequest.Due(
                new FireId(track.key(), run.instant()),
                track.spec().job(),
                plan.after(),
                plan.skip(),
                in.info(track.spec().job(), run.missed(), Map.of()));
    }

    /** Writes what the plan skips, if it runs nothing, and says so. */
    void skip(Track track, Plan plan) {
        if (plan.run().isPresent() || plan.skip().isEmpty()) {
            return;
        }
        var write = new CursorWrite.Put(plan.after(), plan.skip());
        WriteResult result = in.fenced().write(List.of(write));
        logSkips(List.of(write), result);
        if (in.accept(result, "The cursor past skipped slots")) {
            moved(track, plan.after());
        }
    }

    /** Only what is on record by now. */
    static void logSkips(List<? extends CursorWrite> writes, WriteResult result) {
        if (result instanceof WriteResult.Written written) {
            for (CursorWrite write : writes) {
                if (write instanceof CursorWrite.Put put && !written.failed().containsKey(put.trigger())) {
                    put.skip().ifPresent(Claims::logSkip);
                }
            }
        }
    }

    static void logSkip(Skipped skip) {
        if (skip.count() == 1) {
            log.warn(
                    "Trigger {} of job {}: its slot {} is skipped ({})",
                    skip.trigger(),
                    skip.job(),
                    skip.last(),
                    skip.why());
            return;
        }
        log.warn(
                "Trigger {} of job {}: {} slots from {} to {} are skipped ({})",
                skip.trigger(),
                skip.job(),
                skip.count(),
                skip.first(),
                skip.last(),
                skip.why());
    }

    /** The cursor was written: from when on Quartz is to ask again, replays being spread. */
    void moved(Track track, Cursor written) {
        track.moved(written);
        if (track.replays(in.planner())) {
            track.askNotBefore(pacer.reserve(in.now()));
        }
    }

    /** A claim that was not granted: what becomes of its trigger, whose state in the store is then to be renewed. */
    void refused(@Nullable Track track, ClaimRequest request, ClaimResult.NotClaimed result) {
        if (result instanceof ClaimResult.Fenced fenced) {
            in.term().over(Gate.Cause.FENCED, "a claim was refused at the fence: " + fenced.reason());
        } else if (result instanceof ClaimResult.GivenUp givenUp) {
            log.warn(
                    "Fire {} is not run here: whether it was claimed is not known ({}); recovery decides it",
                    result.id(),
                    givenUp.why());
            in.term().over(Gate.Cause.UNKNOWN_WRITE, "whether a claim was written is not known: " + givenUp.why());
        } else if (result instanceof ClaimResult.AlreadyDecided decided) {
            if (request instanceof ClaimRequest.Requested) {
                // The keeper had read it just before it was answered, and asked once more.
                log.debug("Fire {} is not run again: {}", result.id(), decided.why());
            } else {
                log.warn("Fire {} is not run: {}", result.id(), decided.why());
            }
            if (track != null && request instanceof ClaimRequest.Due due) {
                moved(track, due.after());
            }
        } else if (result instanceof ClaimResult.CursorConflict conflict) {
            log.error(
                    "Fire {} is dropped: the cursor of its trigger was {} by someone else. The trigger is planned anew,"
                            + " all others go on. Do not change znodes by hand while a leader runs.",
                    result.id(),
                    // Without one there is none, or none that can be read.
                    conflict.current() == null ? "changed or deleted" : "changed");
            if (track != null) {
                replan(track, conflict.current(), conflict.after());
            }
        } else if (result instanceof ClaimResult.Refused refused) {
            Instant again = in.now().plus(backoff(track));
            log.warn("Fire {} cannot be claimed: {}. It is tried again at {}.", result.id(), refused.why(), again);
            if (track != null) {
                track.askNotBefore(again);
            }
        }
    }

    private static Duration backoff(@Nullable Track track) {
        int doublings = track == null ? MOST_DOUBLINGS : Math.min(track.refused() - 1, MOST_DOUBLINGS);
        return FIRST_RETRY.multipliedBy(1L << doublings);
    }

    /** From what is there now if that is a cursor of this schedule, else from now; never a slot that was claimed. */
    private void replan(Track track, @Nullable Cursor current, @Nullable Instant claimedLast) {
        Cursor planned;
        if (current == null || !current.fingerprint().equals(track.spec().fingerprint())) {
            planned = Reconciler.fresh(track.spec(), in.now(), claimedLast);
        } else if (claimedLast != null
                && current.next() != null
                && !current.next().isAfter(claimedLast)) {
            Instant start = current.anchor().start();
            planned = current.movedTo(
                    track.spec().schedule().next(claimedLast, start).orElse(null));
        } else {
            planned = current;
        }
        String why = current == null
                ? "the cursor of its trigger was deleted by hand, or made unreadable"
                : "the cursor of its trigger was changed by hand";
        Optional<Skipped> dropped = Dropped.underThisTerm(track, claimedLast, planned, in.now(), why);
        if (planned.equals(current) && dropped.isEmpty()) {
            moved(track, planned);
            return;
        }
        List<CursorWrite> writes = List.of(new CursorWrite.Put(planned, dropped));
        WriteResult result = in.fenced().write(writes);
        logSkips(writes, result);
        if (in.accept(result, "The cursor planned anew")) {
            moved(track, planned);
        }
    }
}
