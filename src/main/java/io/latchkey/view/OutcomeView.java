package io.latchkey.view;

import io.latchkey.ledger.HistoryEntry;
import io.latchkey.ledger.KeyText;
import io.latchkey.ledger.Missed;
import io.latchkey.ledger.Outcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;

/**
 * What became of a fire. Its fields are those of {@code --json}.
 *
 * @param at when it was decided
 * @param kind how it ended
 * @param job its job
 * @param trigger its trigger
 * @param fire its id
 * @param slot when it was due
 * @param attempt which attempt ended so
 * @param instance who ran or decided it
 * @param term the term it was claimed in
 * @param claimed when it was claimed
 * @param ranMillis how long it ran, in milliseconds
 * @param error what went wrong, null if nothing
 * @param slots how many slots it stands for
 * @param firstSlot the oldest of them, null where it is its own alone
 * @param catchUp whether it ran late because nobody led when it was due
 * @param retried when the fire was tried again after this, or when it failed while it waits for that; null where this is
 *     what became of the fire
 * @param output the end of what the run had to say; null if nothing
 */
public record OutcomeView(
        Instant at,
        Outcome.Kind kind,
        String job,
        String trigger,
        String fire,
        Instant slot,
        int attempt,
        String instance,
        long term,
        Instant claimed,
        long ranMillis,
        @Nullable String error,
        long slots,
        @Nullable Instant firstSlot,
        boolean catchUp,
        @Nullable Instant retried,
        @Nullable String output) {

    /** One line of a job's history. */
    public static OutcomeView of(JobKey job, HistoryEntry entry) {
        Missed missed = entry.missed() == null ? Missed.NONE : entry.missed();
        Outcome outcome = entry.outcome();
        return new OutcomeView(
                outcome.at(),
                outcome.kind(),
                KeyText.of(job),
                KeyText.of(entry.id().trigger()),
                entry.id().toString(),
                entry.id().slot(),
                entry.attempt(),
                entry.owner().instance(),
                entry.owner().term(),
                entry.claimed(),
                outcome.ran().toMillis(),
                outcome.error(),
                Math.max(outcome.count(), missed.count()),
                missed.first(),
                missed.catchUp(),
                entry.retried(),
                outcome.output());
    }
}
