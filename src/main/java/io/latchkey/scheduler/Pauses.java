package io.latchkey.scheduler;

import io.latchkey.ledger.ClaimRequest;
import io.latchkey.ledger.Paused;
import io.latchkey.ledger.Request;
import java.util.HashSet;
import java.util.Set;
import org.quartz.JobKey;
import org.quartz.TriggerKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What must not fire in this term though it is due: what operators paused, which the ledger keeps, and with {@code
 * catch-up: hold} what has something to catch up on, which the first resume lets go. Used by one thread at a time.
 */
final class Pauses {
    private static final Logger log = LoggerFactory.getLogger(Pauses.class);

    private final LedgerJobStore store;
    private final Runnable released;
    private final Set<TriggerKey> onHold = new HashSet<>();
    private Paused paused;

    /** @param released called when the last of the triggers on hold is let go */
    Pauses(LedgerJobStore store, Paused paused, Runnable released) {
        this.store = store;
        this.released = released;
        this.paused = paused;
    }

    /** Whether a trigger waits for an operator to look at what it would catch up on. */
    boolean holds() {
        return !onHold.isEmpty();
    }

    /** Holds a trigger until it is resumed. */
    void hold(Track track) {
        onHold.add(track.key());
    }

    boolean covers(Track track) {
        return paused.covers(track.key(), track.spec().job()) || onHold.contains(track.key());
    }

    /** A paused job is not taken over either: it may be what killed its instance. What was asked for runs all the same. */
    private boolean covers(OneOff fire) {
        return !(fire.claim() instanceof ClaimRequest.Requested)
                && paused.covers(fire.id().trigger(), fire.job());
    }

    /** What is paused once the request is granted. */
    Paused after(Request request) {
        boolean pause = request.kind() == Request.Kind.PAUSE;
        JobKey job = request.job();
        TriggerKey trigger = request.trigger();
        if (trigger != null) {
            return new Paused(paused.all(), paused.jobs(), with(paused.triggers(), trigger, pause));
        }
        if (job != null) {
            return new Paused(paused.all(), with(paused.jobs(), job, pause), paused.triggers());
        }
        // Resuming all is what people mean by it: nothing stays paused.
        return pause ? new Paused(true, paused.jobs(), paused.triggers()) : Paused.NOTHING;
    }

    private static <T> Set<T> with(Set<T> set, T element, boolean in) {
        Set<T> changed = new HashSet<>(set);
        if (in) {
            changed.add(element);
        } else {
            changed.remove(element);
        }
        return changed;
    }

    /** The request was granted and written. */
    void granted(Request request, Paused now) {
        paused = now;
        if (request.kind() == Request.Kind.RESUME) {
            boolean removed = onHold.removeIf(key -> isMeant(request, key));
            if (removed && onHold.isEmpty()) {
                released.run();
            }
        }
        apply();
        log.info(
                "{} {} by {}",
                request.kind() == Request.Kind.PAUSE ? "Paused" : "Resumed",
                request.trigger() != null ? request.trigger() : request.job() != null ? request.job() : "everything",
                request.by());
    }

    private boolean isMeant(Request request, TriggerKey key) {
        if (request.trigger() != null) {
            return request.trigger().equals(key);
        }
        return request.job() == null
                || store.jobOf(key).filter(request.job()::equals).isPresent();
    }

    void apply() {
        store.pauseExactly(this::covers, this::covers);
    }
}
