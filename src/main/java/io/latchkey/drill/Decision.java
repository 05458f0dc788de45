package io.latchkey.drill;

import io.latchkey.ledger.HistoryEntry;
import io.latchkey.ledger.Outcome;
import java.time.Instant;

/**
 * What the ledger says became of an attempt at a fire.
 *
 * @param fire which; of SKIPPED the last of the skipped slots
 * @param kind how it ended
 * @param at when that was decided
 * @param count how many slots it stands for: of SKIPPED how many were skipped, otherwise 1
 * @param instance who held it
 * @param incarnation the session it was held under
 * @param claimed when it was claimed
 */
record Decision(
        RunLine.Fire fire,
        Outcome.Kind kind,
        Instant at,
        long count,
        String instance,
        String incarnation,
        Instant claimed) {

    static Decision of(HistoryEntry entry) {
        return new Decision(
                new RunLine.Fire(entry.id().trigger().getName(), entry.id().slot(), entry.attempt()),
                entry.outcome().kind(),
                entry.outcome().at(),
                entry.outcome().count(),
                entry.owner().instance(),
                entry.owner().incarnation(),
                entry.claimed());
    }

    /** Whether nothing comes after it. */
    boolean isFinal() {
        return kind != Outcome.Kind.RECOVERED;
    }
}
