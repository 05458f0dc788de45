package io.latchkey.scheduler;

import io.latchkey.conf.Durations;
import io.latchkey.jobs.Misfire;
import io.latchkey.jobs.Schedule;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.CursorWrite;
import io.latchkey.ledger.LedgerState;
import io.latchkey.ledger.Skipped;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.TriggerKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the configuration and the cursors of earlier terms together. A trigger keeps its place as long as its schedule
 * is the same; with another schedule it starts anew from now; gone from the configuration it is kept for a while, so
 * that a rollout that goes back and forth between two versions loses nothing. Pure but for its log lines.
 */
final class Reconciler {
    private static final Logger log = LoggerFactory.getLogger(Reconciler.class);

    private final LedgerState state;
    private final Instant now;
    private final Duration orphanRetention;
    private final boolean replays;

    /** @param replays whether missed slots may be replayed at all */
    Reconciler(LedgerState state, Instant now, Duration orphanRetention, boolean replays) {
        this.replays = replays;
        this.state = state;
        this.now = now;
        this.orphanRetention = orphanRetention;
    }

    /** What to write before anything fires, and each configured trigger with its place. */
    record Result(List<CursorWrite> writes, List<Track> tracks) {}

    /** The jobs of triggers that have no place to keep: what the history knows of them has to be asked for. */
    Set<JobKey> jobsWithoutPlace(List<TriggerSpec> specs) {
        Set<JobKey> jobs = new HashSet<>();
        for (TriggerSpec spec : specs) {
            if (keptPlace(spec).isEmpty()) {
                jobs.add(spec.job());
            }
        }
        return jobs;
    }

    /** @param latestSlots of the triggers without a place to keep, where one is known */
    Result reconcile(List<TriggerSpec> specs, Map<TriggerKey, Instant> latestSlots) {
        List<CursorWrite> writes = new ArrayList<>();
        List<Track> tracks = new ArrayList<>();
        Set<TriggerKey> configured = new HashSet<>();
        for (TriggerSpec spec : specs) {
            configured.add(spec.key());
            Instant latest = latestSlots.get(spec.key());
            Optional<Cursor> kept = keptPlace(spec);
            Cursor cursor = kept.orElseGet(() -> anew(spec, latest));
            if (!cursor.equals(state.cursors().get(spec.key()))) {
                writes.add(new CursorWrite.Put(
                        cursor, kept.isPresent() ? Optional.empty() : dropped(spec, cursor, latest)));
            }
            tracks.add(new Track(spec, cursor, whenMissed(spec)));
        }
        for (Cursor cursor : state.cursors().values()) {
            if (!configured.contains(cursor.trigger())) {
                orphan(cursor).ifPresent(writes::add);
            }
        }
        return new Result(writes, tracks);
    }

    /** A limit of no replays at all leaves a trigger that would replay everything with nothing to run. */
    private Misfire whenMissed(TriggerSpec spec) {
        return spec.misfire() == Misfire.ALL && !replays ? Misfire.NOTHING : spec.misfire();
    }

    private Optional<Cursor> keptPlace(TriggerSpec spec) {
        Cursor cursor = state.cursors().get(spec.key());
        if (cursor == null || !cursor.fingerprint().equals(spec.fingerprint()) || isPastKeeping(cursor)) {
            return Optional.empty();
        }
        if (cursor.orphanedSince() != null) {
            log.info(
                    "Trigger {} is in the configuration again; it keeps its place, next {}", spec.key(), cursor.next());
        }
        return Optional.of(
                new Cursor(cursor.trigger(), spec.job(), cursor.fingerprint(), cursor.anchor(), cursor.place(), null));
    }

    private boolean isPastKeeping(Cursor cursor) {
        return cursor.orphanedSince() != null
                && cursor.orphanedSince().plus(orphanRetention).isBefore(now);
    }

    private Cursor anew(TriggerSpec spec, @Nullable Instant latest) {
        Cursor fresh = fresh(spec, now, latest);
        Cursor before = state.cursors().get(spec.key());
        String malformed = state.malformed().get(spec.key());
        if (malformed != null) {
            log.error(
                    "The cursor of trigger {} (job {}) cannot be read: {}. It is scheduled from now, next {}; what it"
                            + " missed before is not caught up.",
                    spec.key(),
                    spec.job(),
                    malformed,
                    fresh.next());
        } else if (before != null && !before.fingerprint().equals(spec.fingerprint())) {
            boolean dropped = before.next() != null && !before.next().isAfter(now);
            log.info(
                    "The schedule of trigger {} (job {}) was changed; it starts anew from now, next {}. {}",
                    spec.key(),
                    spec.job(),
                    fresh.next(),
                    dropped
                            ? "Dropped: what was due by the old schedule from " + before.next() + " on."
                            : "Nothing was due by the old schedule.");
        } else if (fresh.finished()) {
            log.info(
                    "Trigger {} (job {}) has no fire any more: its time has passed; it is skipped",
                    spec.key(),
                    spec.job());
        } else if (latest != null) {
            log.warn(
                    "Trigger {} (job {}) has no cursor but has fired, last at {}; it goes on after that, next {}",
                    spec.key(),
                    spec.job(),
                    latest,
                    fresh.next());
        } else {
            log.debug("Trigger {} is new, next {}", spec.key(), fresh.next());
        }
        return fresh;
    }

    /** What was due and has no place any more. */
    private Optional<Skipped> dropped(TriggerSpec spec, Cursor fresh, @Nullable Instant latest) {
        Cursor before = state.cursors().get(spec.key());
        if (before != null) {
            return before.fingerprint().equals(spec.fingerprint()) || before.orphanedSince() != null
                    ? Optional.empty()
                    : Dropped.oldSchedule(before, now);
        }
        if (latest == null) {
            return Optional.empty();
        }
        if (state.malformed().containsKey(spec.key())) {
            return Dropped.since(spec, latest, fresh, now, "the cursor of its trigger cannot be read");
        }
        // One that was out of the configuration for long has no cursor either, and had no slots meanwhile.
        return latest.isBefore(now.minus(orphanRetention))
                ? Optional.empty()
                : Dropped.since(spec, latest, fresh, now, "the cursor of its trigger was deleted by hand");
    }

    /** A cursor for a trigger without a place: from now, and after the latest slot known to be claimed. */
    static Cursor fresh(TriggerSpec spec, Instant now, @Nullable Instant claimedLast) {
        Schedule schedule = spec.schedule();
        Instant start = schedule.anchor(now);
        Instant after = now.minusMillis(1);
        if (claimedLast != null && claimedLast.isAfter(after)) {
            after = claimedLast;
        }
        int repeats = schedule instanceof Schedule.Simple simple ? simple.repeatCount() : Schedule.Simple.FOR_EVER;
        return Cursor.first(
                spec.key(),
                spec.job(),
                spec.fingerprint(),
                new Cursor.Anchor(start, repeats),
                schedule.next(after, start).orElse(null));
    }

    private Optional<CursorWrite> orphan(Cursor cursor) {
        if (cursor.orphanedSince() == null) {
            log.info(
                    "Trigger {} (job {}) is not in the configuration any more; its place is kept for {}",
                    cursor.trigger(),
                    cursor.job(),
                    Durations.format(orphanRetention));
            return Optional.of(new CursorWrite.Put(cursor.orphaned(now), Optional.empty()));
        }
        if (isPastKeeping(Objects.requireNonNull(cursor))) {
            log.info(
                    "The place of trigger {} is dropped: out of the configuration since {}",
                    cursor.trigger(),
                    cursor.orphanedSince());
            return Optional.of(new CursorWrite.Delete(cursor.trigger()));
        }
        return Optional.empty();
    }
}
