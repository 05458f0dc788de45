package io.latchkey.ledger;

import java.time.Instant;
import java.util.Optional;

/**
 * What to do about a trigger's due slots. {@code skip} and {@code run} are to be written together, in one claim, when
 * there is a run; a skip without a run is a cursor write of its own.
 *
 * @param skip slots that are due and will not run
 * @param run the one slot to run next among those due; empty when none is due or none is to run
 * @param after the cursor once both are written
 */
public record Plan(Optional<Skipped> skip, Optional<Slot> run, Cursor after) {

    /**
     * A slot to run.
     *
     * @param instant when it was due
     * @param missed what its run is told
     */
    public record Slot(Instant instant, Missed missed) {}
}
