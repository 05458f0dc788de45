package io.latchkey.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a fire that has failed is tried again.
 *
 * @param notBefore from then on whoever leads claims it
 * @param notAfter from then on it is not tried any more: the next fire of its trigger is due; null for no such limit
 */
public record Retry(Instant notBefore, @Nullable Instant notAfter) {
    /** At once, and whatever else is due. */
    public static Retry at(Instant now) {
        return new Retry(now, null);
    }

    /** Whether it is too late for it. */
    public boolean isOver(Instant now) {
        return notAfter != null && !now.isBefore(notAfter);
    }
}
