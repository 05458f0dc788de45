package io.latchkey.scheduler;

import io.latchkey.conf.Durations;
import io.latchkey.ledger.Gap;
import io.latchkey.ledger.Plan;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes triggers out of the firing and back: what came due while a trigger was paused, or while the clock jumped, was
 * missed. Guarded by the job store's claim lock.
 */
final class Resuming {
    private static final Logger log = LoggerFactory.getLogger(Resuming.class);

    private final TermContext in;
    private final LedgerJobStore store;
    private final Shelf shelf;
    private final Claims claims;

    Resuming(TermContext in, LedgerJobStore store, Shelf shelf, Claims claims) {
        this.in = in;
        this.store = store;
        this.shelf = shelf;
        this.claims = claims;
    }

    /**
     * Pauses and resumes so that exactly what {@code covered} says is paused.
     *
     * @param why a trigger that is resumed has missed something
     */
    void pauseExactly(Predicate<Track> covered, Predicate<OneOff> coveredOneOff, Function<Track, Gap> why) {
        for (Track track : shelf.tracks()) {
            boolean wanted = covered.test(track);
            if (wanted && shelf.pause(track.key())) {
                shelf.notAcquired(track.key());
                store.pauseTrigger(track.key());
            } else if (!wanted && shelf.resume(track.key())) {
                resume(track, why.apply(track));
            }
        }
        for (OneOff fire : shelf.oneOffs()) {
            boolean wanted = coveredOneOff.test(fire);
            if (wanted && shelf.pause(fire.key())) {
                shelf.notAcquired(fire.key());
                store.pauseTrigger(fire.key());
            } else if (!wanted && shelf.resume(fire.key())) {
                store.renew(null, fire);
            }
        }
    }

    /** What the clock jumped over was missed, not late: nobody was there at that time. */
    void clockJumped(Duration ahead) {
        log.warn(
                "The clock of this machine jumped ahead by {}: what came due in between was missed, and each trigger's"
                        + " misfire instruction decides",
                Durations.format(ahead.truncatedTo(ChronoUnit.SECONDS)));
        try {
            Instant now = in.now();
            for (Track track : shelf.tracks()) {
                Instant next = track.cursor().next();
                if (next != null && next.isBefore(now) && !shelf.isPaused(track.key())) {
                    resume(track, Gap.MISSED);
                }
            }
        } catch (RuntimeException e) {
            log.error("What the clock jumped over could not be planned; it runs late instead", e);
        }
    }

    private void resume(Track track, Gap why) {
        catchUp(track, why);
        store.renew(track, null);
    }

    /** What came due up to now was missed: skips what the instruction says, and paces what is replayed. */
    private void catchUp(Track track, Gap why) {
        Instant now = in.now();
        track.missedUntil(now, why);
        Plan plan = track.plan(now, in.planner());
        if (plan.run().isEmpty() && plan.skip().isPresent()) {
            claims.skip(track, plan);
        } else {
            claims.moved(track, track.cursor());
        }
    }
}
