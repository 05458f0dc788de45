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
 */
public record HistoryEntry(
        FireId id,
        int attempt,
        Owner owner,
        Instant claimed,
        Outcome outcome,
        @Nullable Missed missed) {}
