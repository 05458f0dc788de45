package io.latchkey.ledger;

import java.util.Optional;
import org.quartz.TriggerKey;

/** A change of one cursor outside a claim. */
public sealed interface CursorWrite {
    /** Whose cursor. */
    TriggerKey trigger();

    /**
     * Creates or replaces a cursor, and records what is skipped with it.
     *
     * @param cursor the new state
     * @param skip recorded in the same transaction
     */
    record Put(Cursor cursor, Optional<Skipped> skip) implements CursorWrite {
        @Override
        public TriggerKey trigger() {
            return cursor.trigger();
        }
    }

    /** Deletes a cursor whose trigger has been gone for long enough. */
    record Delete(TriggerKey trigger) implements CursorWrite {}
}
