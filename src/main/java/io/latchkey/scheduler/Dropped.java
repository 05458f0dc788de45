package io.latchkey.scheduler;

import io.latchkey.jobs.Schedule;
import io.latchkey.jobs.TimeTable;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.Skipped;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Slots that came due and that no cursor tells of any more: it was deleted, changed or damaged by hand, or the schedule it
 * was for is gone. They are not run, and the history says so. Counted, never walked.
 */
final class Dropped {
    private Dropped() {}

    /** Of a trigger whose cursor was lost or replaced under this leader: from its oldest undecided slot on. */
    static Optional<Skipped> underThisTerm(
            Track track, @Nullable Instant claimedLast, Cursor planned, Instant now, String why) {
        Instant oldest = track.cursor().next();
        if (oldest == null) {
            return Optional.empty();
        }
        Instant from = claimedLast != null && !claimedLast.isBefore(oldest) ? claimedLast.plusMillis(1) : oldest;
        return between(track.spec(), track.table(), from, until(planned, now), why);
    }

    /** Of a trigger that has no readable cursor at load: after the latest slot known to be decided. */
    static Optional<Skipped> since(TriggerSpec spec, Instant latest, Cursor planned, Instant now, String why) {
        Schedule schedule = spec.schedule();
        // One without a start time is counted from any of its slots as well as from its first.
        TimeTable table = schedule.timeTable(schedule.anchor(latest));
        return between(spec, table, latest.plusMillis(1), until(planned, now), why);
    }

    /** Of a schedule that is not known any more but for the one slot that its cursor names. */
    static Optional<Skipped> oldSchedule(Cursor before, Instant now) {
        Instant due = before.next();
        return due == null || due.isAfter(now)
                ? Optional.empty()
                : Optional.of(new Skipped(
                        before.trigger(),
                        before.job(),
                        due,
                        due,
                        1,
                        "the schedule was changed while this slot of the old one was due; what came due by the old one"
                                + " after it is not known, and does not run either"));
    }

    /** Up to now, but not what the cursor that takes over will still run. */
    private static Instant until(Cursor planned, Instant now) {
        Instant next = planned.next();
        return next == null || next.isAfter(now) ? now : next.minusMillis(1);
    }

    private static Optional<Skipped> between(
            TriggerSpec spec, TimeTable table, Instant from, Instant until, String why) {
        long count = table.count(from, until);
        Optional<Instant> first = table.next(from.minusMillis(1));
        Optional<Instant> last = table.latest(until);
        return count == 0 || first.isEmpty() || last.isEmpty()
                ? Optional.empty()
                : Optional.of(new Skipped(spec.key(), spec.job(), first.get(), last.get(), count, why));
    }
}
