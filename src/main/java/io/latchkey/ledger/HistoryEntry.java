package io.latchkey.ledger;

import java.time.Instant;

/**
 * One line of a job's history.
 *
 * @param id the fire
 * @param attempt which attempt
 * @param owner who ran or decided it
 * @param claimed when it was claimed
 * @param outcome what became of it
 */
public record HistoryEntry(FireId id, int attempt, Owner owner, Instant claimed, Outcome outcome) {}
