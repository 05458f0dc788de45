package io.latchkey.scheduler;

import io.latchkey.jobs.Misfire;
import io.latchkey.jobs.Schedule;
import io.latchkey.jobs.TimeTable;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.jobs.Triggers;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.Gap;
import io.latchkey.ledger.OnHold;
import io.latchkey.ledger.Plan;
import io.latchkey.ledger.Planner;
import io.latchkey.ledger.PlannerSettings;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.quartz.TriggerKey;
import org.quartz.spi.OperableTrigger;

/**
 * One trigger of the configuration in one term: its cursor as last written, and when Quartz is to ask for it. Quartz's
 * own trigger only says when to ask; which slot runs is the planner's answer. Guarded by the job store's claim lock.
 */
final class Track {
    private final TriggerSpec spec;
    private Cursor cursor;
    private TimeTable table;

    /** Slots up to this instant came due while nobody led, or while the trigger was paused. */
    private @Nullable Instant missedUntil;

    private Gap gap = Gap.MISSED;

    /** Read by the watchdog without the lock. */
    private volatile @Nullable Instant askAt;

    private int refusals;

    private final Misfire whenMissed;

    Track(TriggerSpec spec, Cursor cursor) {
        this(spec, cursor, spec.misfire());
    }

    /** @param whenMissed what to do with missed slots: the trigger's instruction, or NOTHING where no replay is allowed */
    Track(TriggerSpec spec, Cursor cursor, Misfire whenMissed) {
        this.whenMissed = whenMissed;
        this.spec = spec;
        this.cursor = cursor;
        this.table = spec.schedule().timeTable(cursor.anchor().start());
        this.askAt = cursor.next();
    }

    /** The same place under another spec of the same schedule: what it waits for, it waits for still. */
    void goesOnFrom(Track before) {
        missedUntil = before.missedUntil;
        gap = before.gap;
        askAt = before.askAt;
        refusals = before.refusals;
    }

    TriggerKey key() {
        return spec.key();
    }

    TriggerSpec spec() {
        return spec;
    }

    TimeTable table() {
        return table;
    }

    Cursor cursor() {
        return cursor;
    }

    /** When it is due after {@code slot}; null if it is not. */
    @Nullable
    Instant after(Instant slot) {
        return spec.schedule().next(slot, cursor.anchor().start()).orElse(null);
    }

    /**
     * What comes due up to {@code now} was missed; the misfire instruction decides about it, as of this instant.
     *
     * @param why MISSED or PAUSED
     */
    void missedUntil(Instant now, Gap why) {
        missedUntil = now;
        gap = why;
    }

    /** Whether the oldest undecided slot was missed rather than late. */
    boolean catchesUp() {
        Instant next = cursor.next();
        return next != null && missedUntil != null && !next.isAfter(missedUntil);
    }

    /** Whether what it catches up on is every slot, so that it has to be paced. */
    boolean replays(PlannerSettings settings) {
        Instant next = cursor.next();
        return spec.misfire() == Misfire.ALL
                && catchesUp()
                && next != null
                && missedUntil != null
                && next.isBefore(missedUntil.minus(settings.misfireThreshold()));
    }

    Plan plan(Instant now, PlannerSettings settings) {
        Instant missed = missedUntil;
        if (!catchesUp() || missed == null) {
            return Planner.plan(table, cursor, spec.misfire(), now, settings, Gap.LATE);
        }
        Plan plan = Planner.plan(table, cursor, whenMissed, missed, settings, gap);
        return whenMissed == Misfire.ONCE && spec.schedule() instanceof Schedule.Simple simple && simple.keepsCount()
                ? KeptCount.plan(plan, simple, cursor, missed)
                : plan;
    }

    /** What it has missed up to now; null if nothing, or nothing longer ago than the misfire threshold. */
    OnHold.@Nullable Waiting waiting(Instant now, PlannerSettings settings) {
        return Planner.waiting(table, cursor, whenMissed, now, settings).orElse(null);
    }

    /** The cursor was written; Quartz is to ask again when its next slot is due. */
    void moved(Cursor written) {
        if (!written.anchor().equals(cursor.anchor())) {
            table = spec.schedule().timeTable(written.anchor().start());
        }
        cursor = written;
        askAt = written.next();
        refusals = 0;
    }

    /** Quartz is to ask not before {@code instant}, though a slot is due. */
    void askNotBefore(Instant instant) {
        Instant next = cursor.next();
        askAt = next == null || next.isAfter(instant) ? next : instant;
    }

    /** How often in a row its claim was refused, this time included. */
    int refused() {
        return ++refusals;
    }

    @Nullable
    Instant askAt() {
        return askAt;
    }

    /** What Quartz's store holds for it: due when it is to be asked. */
    OperableTrigger forStore() {
        return Triggers.restore(
                spec,
                cursor.anchor().start(),
                cursor.place().previous(),
                askAt,
                cursor.place().timesFired());
    }

    /** What the run of the slot that was just claimed sees. */
    OperableTrigger forRun() {
        return Triggers.restore(
                spec,
                cursor.anchor().start(),
                cursor.place().previous(),
                cursor.next(),
                cursor.place().timesFired());
    }
}
