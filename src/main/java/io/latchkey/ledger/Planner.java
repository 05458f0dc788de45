package io.latchkey.ledger;

import io.latchkey.jobs.Misfire;
import io.latchkey.jobs.TimeTable;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of a trigger's due slots. Pure: the same answer whoever asks, whether the gap was 35 seconds or
 * 35 minutes, and never a walk over the slots that are skipped.
 *
 * <p>Up to the misfire threshold nothing was missed: each slot runs, late, under its own time. Beyond it:
 *
 * <table>
 * <caption>What runs of the slots from the oldest undecided one to now</caption>
 * <tr><th></th><th>{@link Gap#MISSED}, {@link Gap#PAUSED}</th><th>{@link Gap#LATE}</th></tr>
 * <tr><td>NOTHING</td><td>none</td><td>the latest</td></tr>
 * <tr><td>ONCE</td><td>the latest, told how many it stands for</td><td>the latest</td></tr>
 * <tr><td>ALL</td><td>each in order, the oldest beyond the limit not</td><td>each in order</td></tr>
 * </table>
 *
 * <p>The others are SKIPPED, with their number. A simple trigger's slots lie on a fixed grid, so those skipped count
 * against its repeat count, as Quartz's "remaining count" instructions have it.
 *
 * <p>While an ALL trigger catches up, it is planned as MISSED with the {@code now} of the first plan until its cursor
 * has passed that instant: so each run is marked as catch-up, and the limit holds for the gap as a whole.
 */
public final class Planner {
    /** Slots are no closer than this: what comes before one is found by stepping back so far. */
    private static final long RESOLUTION_MILLIS = 1;

    private Planner() {}

    /**
     * The plan for one trigger.
     *
     * @param table when the trigger is due
     * @param cursor how far it has come
     * @param misfire its instruction
     * @param now up to when slots are due
     */
    public static Plan plan(
            TimeTable table, Cursor cursor, Misfire misfire, Instant now, PlannerSettings settings, Gap gap) {
        Instant oldest = cursor.next();
        if (oldest == null || oldest.isAfter(now)) {
            return new Plan(Optional.empty(), Optional.empty(), cursor);
        }
        if (!oldest.isBefore(now.minus(settings.misfireThreshold()))) {
            return run(table, cursor, oldest, Missed.NONE);
        }
        return gap == Gap.LATE
                ? late(table, cursor, misfire, oldest, now)
                : missed(table, cursor, misfire, oldest, now, settings.catchUpLimit(), gap);
    }

    /** What {@link #plan} would make of all slots missed up to now; empty if none was, or all are within the threshold. */
    public static Optional<OnHold.Waiting> waiting(
            TimeTable table, Cursor cursor, Misfire misfire, Instant now, PlannerSettings settings) {
        Instant oldest = cursor.next();
        if (oldest == null || !oldest.isBefore(now.minus(settings.misfireThreshold()))) {
            return Optional.empty();
        }
        Instant last = latest(table, oldest, now);
        long slots = count(table, oldest, last);
        long runs = switch (misfire) {
            case NOTHING -> 0;
            case ONCE -> 1;
            case ALL -> Math.min(slots, settings.catchUpLimit());
        };
        return Optional.of(new OnHold.Waiting(oldest, last, slots, runs));
    }

    private static Plan late(TimeTable table, Cursor cursor, Misfire misfire, Instant oldest, Instant now) {
        if (misfire == Misfire.ALL) {
            return run(table, cursor, oldest, Missed.NONE);
        }
        return latest(table, cursor, oldest, now, false, "still waiting when a later slot came due");
    }

    private static Plan missed(
            TimeTable table, Cursor cursor, Misfire misfire, Instant oldest, Instant now, int limit, Gap gap) {
        return switch (misfire) {
            case NOTHING -> {
                Instant last = latest(table, oldest, now);
                Skipped skip = new Skipped(
                        cursor.trigger(),
                        cursor.job(),
                        oldest,
                        last,
                        count(table, oldest, last),
                        gap + "; the trigger's instruction is to do nothing");
                yield new Plan(Optional.of(skip), Optional.empty(), cursor.movedTo(next(table, last)));
            }
            case ONCE -> latest(table, cursor, oldest, now, true, gap + "; the latest missed slot runs for all");
            case ALL -> all(table, cursor, oldest, now, limit, gap);
        };
    }

    private static Plan latest(
            TimeTable table, Cursor cursor, Instant oldest, Instant now, boolean catchUp, String why) {
        Instant last = latest(table, oldest, now);
        long count = count(table, oldest, last);
        Optional<Skipped> skip = count == 1
                ? Optional.empty()
                : Optional.of(new Skipped(
                        cursor.trigger(), cursor.job(), oldest, before(table, oldest, last), count - 1, why));
        Missed missed = catchUp || count > 1 ? new Missed(count, oldest, catchUp) : Missed.NONE;
        return withSkip(skip, run(table, cursor, last, missed));
    }

    private static Plan all(TimeTable table, Cursor cursor, Instant oldest, Instant now, int limit, Gap gap) {
        Instant last = latest(table, oldest, now);
        long beyond = count(table, oldest, last) - limit;
        if (beyond <= 0) {
            return run(table, cursor, oldest, new Missed(1, oldest, true));
        }
        Instant first = last;
        for (int i = 1; i < limit; i++) {
            first = before(table, oldest, first);
        }
        Skipped skip = new Skipped(
                cursor.trigger(),
                cursor.job(),
                oldest,
                before(table, oldest, first),
                beyond,
                gap + "; beyond the limit of " + limit + " replays");
        return withSkip(Optional.of(skip), run(table, cursor, first, new Missed(1, first, true)));
    }

    private static Plan run(TimeTable table, Cursor cursor, Instant slot, Missed missed) {
        return new Plan(
                Optional.empty(), Optional.of(new Plan.Slot(slot, missed)), cursor.claimed(slot, next(table, slot)));
    }

    private static Plan withSkip(Optional<Skipped> skip, Plan plan) {
        return new Plan(skip, plan.run(), plan.after());
    }

    private static @Nullable Instant next(TimeTable table, Instant slot) {
        return table.next(slot).orElse(null);
    }

    /** The latest slot up to now; the oldest itself where the table knows it not (a cursor set by hand). */
    private static Instant latest(TimeTable table, Instant oldest, Instant now) {
        Instant last = table.latest(now).orElse(oldest);
        return last.isBefore(oldest) ? oldest : last;
    }

    private static Instant before(TimeTable table, Instant oldest, Instant slot) {
        return latest(table, oldest, slot.minusMillis(RESOLUTION_MILLIS));
    }

    /** How many slots there are, both ends included, the ends being slots whatever the table says. */
    private static long count(TimeTable table, Instant oldest, Instant last) {
        return oldest.equals(last) ? 1 : Math.max(2, table.count(oldest, last));
    }
}
