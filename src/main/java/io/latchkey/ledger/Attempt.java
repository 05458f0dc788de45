package io.latchkey.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One claim of a fire.
 *
 * @param number 1 for the first
 * @param owner who claimed
 * @param nonce new for every claim: by it an unknown write is known again
 * @param claimed when, by the owner's clock
 * @param ended how it ended, of an earlier attempt that was tried again; null for one whose instance died
 * @param retry when it may be claimed, of an attempt that waits; null once it is claimed
 */
public record Attempt(
        int number,
        Owner owner,
        String nonce,
        Instant claimed,
        @Nullable Outcome ended,
        @Nullable Retry retry) {
    /** An attempt that has been claimed and has not ended. */
    public Attempt(int number, Owner owner, String nonce, Instant claimed) {
        this(number, owner, nonce, claimed, null, null);
    }

    /** This attempt, ended badly, for the record of the next one. */
    Attempt ended(Outcome how) {
        return new Attempt(number, owner, nonce, claimed, how.brief(), null);
    }

    /** The attempt after this one, which nobody has claimed yet. */
    Attempt next(Instant since, Retry when) {
        return new Attempt(number + 1, owner, nonce, since, null, when);
    }
}
