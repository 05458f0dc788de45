package io.latchkey.scheduler;

import io.latchkey.ledger.ClaimRequest;
import io.latchkey.ledger.Gap;
import io.latchkey.ledger.OnHold;
import io.latchkey.ledger.Paused;
import io.latchkey.ledger.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quartz.TriggerKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What must not fire in this term though it is due: what operators paused, and what is on hold (with {@code
 * scheduler.catch-up=hold}) until one has looked at what it would catch up on. The ledger keeps both: later leaders go on
 * with them, whatever their own setting. Used by one thread at a time.
 */
final class Pauses {
    private static final Logger log = LoggerFactory.getLogger(Pauses.class);
    /** Once an operator has let something go: a gap shorter than this is a change of leader, not an outage to look at. */
    private static final Duration CHANGE_OF_LEADER = Duration.ofMinutes(1);

    private static final Duration RECOUNT = Duration.ofMinutes(1);

    private final TermContext in;
    private final LedgerJobStore store;
    private Paused paused;
    private Instant counted;

    Pauses(TermContext in, LedgerJobStore store, Paused paused) {
        this.in = in;
        this.store = store;
        this.paused = paused;
        this.counted = in.now();
    }

    /**
     * What is on hold from now on: what was and still misses something, and with {@code anew} what misses something now.
     *
     * @param all of the configuration
     * @param placed the triggers with a cursor, those gone from the configuration too: they may come back
     * @return whether that has changed, and is to be written
     */
    boolean hold(List<Track> all, Set<TriggerKey> placed, boolean anew, Instant now) {
        Map<TriggerKey, OnHold> held = new HashMap<>();
        Set<TriggerKey> configured = new HashSet<>();
        for (Track track : all) {
            configured.add(track.key());
            OnHold before = paused.held().get(track.key());
            OnHold.Waiting waiting = track.waiting(now, in.planner());
            if (waiting != null && (before != null || (anew && !isExcused(waiting.first(), now)))) {
                OnHold next = new OnHold(track.spec().job(), before == null ? now : before.since(), now, waiting);
                held.put(track.key(), next);
                say(track.key(), next);
            } else if (before != null) {
                log.info("Trigger {} is on hold no more: it has nothing to catch up on", track.key());
            }
        }
        paused.held().forEach((key, before) -> {
            if (!configured.contains(key) && placed.contains(key)) {
                held.put(key, before);
            }
        });
        boolean changed = !held.equals(paused.held());
        paused = paused.holding(held);
        return changed;
    }

    /** What an operator has let go stays so. */
    private boolean isExcused(Instant firstMissed, Instant now) {
        Instant released = paused.released();
        return released != null
                && (!firstMissed.isAfter(released) || !firstMissed.isBefore(now.minus(CHANGE_OF_LEADER)));
    }

    private static void say(TriggerKey key, OnHold hold) {
        OnHold.Waiting waiting = hold.waiting();
        log.warn(
                "Trigger {} (job {}) is on hold since {} (scheduler.catch-up=hold): it missed {} slots from {} to"
                        + " {}, of which {} would run and {} be skipped. It waits until it, its job or everything is"
                        + " resumed; `latchkey jobs` shows it",
                key,
                hold.job(),
                hold.since(),
                waiting.slots(),
                waiting.first(),
                waiting.last(),
                waiting.runs(),
                waiting.skips());
    }

    Paused paused() {
        return paused;
    }

    private boolean isHeld(Track track) {
        return paused.held().containsKey(track.key());
    }

    boolean covers(Track track) {
        return paused.covers(track.key(), track.spec().job()) || isHeld(track);
    }

    /** A paused job is not taken over either: it may be what killed its instance. What was asked for runs all the same. */
    boolean covers(OneOff fire) {
        return !(fire.claim() instanceof ClaimRequest.Requested)
                && paused.covers(fire.id().trigger(), fire.job());
    }

    /** What is paused once the request is granted. */
    Paused after(Request request) {
        return paused.after(request);
    }

    /** The request was granted and written. */
    void granted(Request request, Paused now) {
        Paused before = paused;
        paused = now;
        // What was on hold is not paused: nobody led when it was missed.
        store.pauseExactly(
                this::covers,
                this::covers,
                track -> before.covers(track.key(), track.spec().job()) ? Gap.PAUSED : Gap.MISSED);
        log.info(
                "{} {} by {}",
                request.kind() == Request.Kind.PAUSE ? "Paused" : "Resumed",
                request.trigger() != null ? request.trigger() : request.job() != null ? request.job() : "everything",
                request.by());
    }

    void apply() {
        store.pauseExactly(this::covers, this::covers, track -> Gap.MISSED);
    }

    /** Counts again, now and then, what waits on hold; null if there is nothing new to write. */
    @Nullable
    Paused recounted() {
        Instant now = in.now();
        if (paused.held().isEmpty() || now.isBefore(counted.plus(RECOUNT))) {
            return null;
        }
        counted = now;
        Map<TriggerKey, OnHold> held = new HashMap<>(paused.held());
        held.replaceAll((key, before) -> {
            OnHold.Waiting waiting = store.waiting(key, now);
            return waiting == null || waiting.equals(before.waiting())
                    ? before
                    : new OnHold(before.job(), before.since(), now, waiting);
        });
        return held.equals(paused.held()) ? null : paused.holding(held);
    }

    /** The new count is written. */
    void counted(Paused now) {
        paused = now;
    }
}
