package io.latchkey.scheduler;

import io.latchkey.jobs.Schedule;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.Plan;
import java.time.Duration;
import java.time.Instant;

/**
 * Quartz's instruction "reschedule now with existing repeat count": what was missed does not count against the repeat
 * count. One run stands for it as ever; then as many are to come as if nothing had been missed. The trigger keeps its
 * phase: its grid moves on by whole intervals.
 */
final class KeptCount {
    private KeptCount() {}

    /** The plan for missed slots, its cursor moved on so that those missed come later. */
    static Plan plan(Plan once, Schedule.Simple simple, Cursor before, Instant now) {
        Instant oldest = before.next();
        Plan.Slot run = once.run().orElse(null);
        if (oldest == null || run == null || !run.missed().catchUp()) {
            return once;
        }
        long gone = Duration.between(oldest, now).toMillis() / simple.interval().toMillis();
        Duration shift = simple.interval().multipliedBy(gone);
        Instant start = before.anchor().start().plus(shift);
        Instant next = simple.timeTable(start).next(oldest.plus(shift)).orElse(null);
        Cursor moved = new Cursor(
                before.trigger(),
                before.job(),
                before.fingerprint(),
                new Cursor.Anchor(start, before.anchor().repeatCount()),
                before.place(),
                before.orphanedSince());
        return new Plan(once.skip(), once.run(), moved.claimed(run.instant(), next));
    }
}
