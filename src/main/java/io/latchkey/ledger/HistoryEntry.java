package io.latchkey.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One line of a job's history.
 *
 * @param id the fire
 * @param attempt which attempt
 * @param owner who ran or decided it
 * @param claimed when it was claimed
 * @param outcome what became of it
 * @param missed the slots it stands for; null for an ordinary run, which stands for itself alone
 * @param retried when the fire was tried again after this; null where this is what became of the fire
 */
public record HistoryEntry(
        FireId id,
        int attempt,
        Owner owner,
        Instant claimed,
        Outcome outcome,
        @Nullable Missed missed,
        @Nullable Instant retried) {
    /** What became of a fire in the end. */
    public HistoryEntry(
            FireId id, int attempt, Owner owner, Instant claimed, Outcome outcome, @Nullable Missed missed) {
        this(id, attempt, owner, claimed, outcome, missed, null);
    }
}
