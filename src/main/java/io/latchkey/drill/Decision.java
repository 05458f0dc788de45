package io.latchkey.drill;

import io.latchkey.ledger.HistoryEntry;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.Owner;
import java.time.Instant;

/**
 * What the ledger says became of an attempt at a fire.
 *
 * @param fire which; of SKIPPED the last of the skipped slots
 * @param kind how it ended
 * @param at when that was decided
 * @param count how many slots it stands for: of SKIPPED how many were skipped, otherwise 1
 * @param owner who held it
 * @param claimed when it was claimed
 * @param again whether another attempt follows
 */
record Decision(
        RunLine.Fire fire, Outcome.Kind kind, Instant at, long count, Owner owner, Instant claimed, boolean again) {

    static Decision of(HistoryEntry entry) {
        return new Decision(
                new RunLine.Fire(entry.id().trigger().getName(), entry.id().slot(), entry.attempt()),
                entry.outcome().kind(),
                entry.outcome().at(),
                entry.outcome().count(),
                entry.owner(),
                entry.claimed(),
                entry.retried() != null || entry.outcome().kind() == Outcome.Kind.RECOVERED);
    }

    String instance() {
        return owner.instance();
    }

    /** The session it was held under. */
    String incarnation() {
        return owner.incarnation();
    }
}
