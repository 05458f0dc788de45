package io.latchkey.scheduler;

import io.latchkey.conf.Durations;
import io.latchkey.ledger.ClaimRequest;
import io.latchkey.ledger.ClaimResult;
import io.latchkey.ledger.Claimed;
import io.latchkey.lifecycle.Faults;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDetail;
import org.quartz.TriggerKey;
import org.quartz.spi.OperableTrigger;
import org.quartz.spi.TriggerFiredBundle;
import org.quartz.spi.TriggerFiredResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From triggers that Quartz says are due to runs: plans each, claims all in one batch, and makes of every claim that is
 * granted what Quartz is to run. Guarded by the job store's claim lock.
 */
final class Firing {
    private static final Logger log = LoggerFactory.getLogger(Firing.class);
    private static final Duration RETRY = Duration.ofMinutes(1);

    private final TermContext in;
    private final LedgerJobStore store;
    private final Shelf shelf;
    private final Claims claims;
    private final UnderWay underWay;
    private final Faults faults;

    Firing(TermContext in, LedgerJobStore store, Shelf shelf, Claims claims, UnderWay underWay, Faults faults) {
        this.in = in;
        this.store = store;
        this.shelf = shelf;
        this.claims = claims;
        this.underWay = underWay;
        this.faults = faults;
    }

    /** One answer for each trigger: what has none did not fire, and Quartz releases it. */
    static List<TriggerFiredResult> complete(int size, List<@Nullable TriggerFiredResult> results) {
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

    /** Fills {@code results}, in order, with what is due at {@code now}; what stays null did not fire. */
    void fire(List<OperableTrigger> triggers, Instant now, List<@Nullable TriggerFiredResult> results) {
        List<Ask> asks = new ArrayList<>();
        for (int i = 0; i < triggers.size(); i++) {
            results.add(null);
            Ask ask = planned(i, triggers.get(i), now);
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

    private @Nullable Ask planned(int index, OperableTrigger trigger, Instant now) {
        try {
            return ask(index, trigger, now);
        } catch (RuntimeException e) {
            // One trigger that cannot be planned must not hold up the others, nor be asked for without a pause.
            log.error(
                    "Trigger {} could not be planned; it is tried again in {}, all others go on",
                    trigger.getKey(),
                    Durations.format(RETRY),
                    e);
            Track track = shelf.track(trigger.getKey());
            if (track != null) {
                track.askNotBefore(in.now().plus(RETRY));
                store.renew(track, null);
            }
            return null;
        }
    }

    private @Nullable Ask ask(int index, OperableTrigger trigger, Instant now) {
        TriggerKey key = trigger.getKey();
        if (!shelf.released(trigger) || !in.term().gate().isOpen()) {
            return null;
        }
        OneOff oneOff = shelf.oneOff(key);
        if (oneOff != null && oneOff.isOver(in.now())) {
            // Too late for another attempt: recovery says so.
            store.remove(oneOff);
            underWay.notGranted(oneOff);
            return null;
        }
        if (oneOff != null) {
            return new Ask(index, trigger, null, oneOff, oneOff.claim());
        }
        Track track = shelf.track(key);
        if (track == null) {
            return null;
        }
        ClaimRequest.Due due = claims.due(track, now);
        if (due == null) {
            store.renew(track, null);
            return null;
        }
        return new Ask(index, trigger, track, null, due);
    }

    private TriggerFiredResult claimed(Ask ask, Claimed claimed) {
        Flight flight = new Flight(claimed, in, bounds(ask, claimed));
        in.running().add(flight);
        try {
            return toRun(ask, flight);
        } catch (RuntimeException e) {
            log.error("Fire {} was claimed but could not be handed to Quartz", claimed.id(), e);
            underWay.giveBack(flight, "it could not be handed to Quartz");
            return NotFired.RESULT;
        }
    }

    private Bounds bounds(Ask ask, Claimed claimed) {
        Track track = shelf.track(claimed.id().trigger());
        return in.bounds(claimed.record().job(), track == null ? null : track.spec(), next(ask, claimed, track));
    }

    /** When the trigger is due after the fire that was claimed. */
    private static @Nullable Instant next(Ask ask, Claimed claimed, @Nullable Track track) {
        if (ask.request() instanceof ClaimRequest.Due due) {
            return due.after().next();
        }
        return track == null ? null : track.after(claimed.id().slot());
    }

    private TriggerFiredResult toRun(Ask ask, Flight flight) {
        Track track = ask.track();
        OneOff oneOff = ask.oneOff();
        if (track != null && ask.request() instanceof ClaimRequest.Due due) {
            claims.moved(track, due.after());
            due.skip().ifPresent(Claims::logSkip);
        }
        List<TriggerFiredResult> moved = store.moveOn(ask.trigger());
        if (oneOff != null) {
            store.remove(oneOff);
        }
        if (moved.isEmpty()) {
            underWay.giveBack(flight, "its trigger was taken away meanwhile");
            return NotFired.RESULT;
        }
        if (track != null && !isDueAt(track)) {
            store.renew(track, null);
        }
        OperableTrigger seen = track != null ? track.forRun() : oneOff != null ? oneOff.forRun() : ask.trigger();
        seen.setFireInstanceId(ask.trigger().getFireInstanceId());
        underWay.add(seen, flight);
        FiredBundle.Slots slots = new FiredBundle.Slots(
                flight.id().slot(),
                track == null ? null : previousOf(ask),
                track == null ? null : track.cursor().next(),
                oneOff != null && oneOff.recovering());
        JobDetail detail = moved.get(0).getTriggerFiredBundle().getJobDetail();
        return new TriggerFiredResult(new FiredBundle(flight, detail, seen, in.now(), slots));
    }

    private static @Nullable Instant previousOf(Ask ask) {
        Date before = ask.trigger().getPreviousFireTime();
        return before == null ? null : before.toInstant();
    }

    /** Whether Quartz's trigger, moved on by Quartz itself, is due when its track is. */
    private boolean isDueAt(Track track) {
        OperableTrigger stored = store.retrieveTrigger(track.key());
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
            store.remove(oneOff);
            underWay.notGranted(oneOff);
        } else {
            store.renew(ask.track(), oneOff);
        }
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
