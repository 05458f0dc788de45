package io.latchkey.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What became of one {@link ClaimRequest}. Only {@link Claimed} may run. */
public sealed interface ClaimResult permits Claimed, ClaimResult.NotClaimed {
    /** The fire. */
    FireId id();

    /** Every result but a claim. */
    sealed interface NotClaimed extends ClaimResult {}

    /** The term is over: refused at the fence. */
    record Fenced(FireId id, String reason) implements NotClaimed {}

    /**
     * The cursor was changed or deleted by someone else. The trigger is to be planned anew, from {@code current} but
     * never before {@code after}.
     *
     * @param current the cursor there now; null when there is none, or none that can be read
     * @param after the latest slot of this trigger known to be claimed; null when none is known
     */
    record CursorConflict(
            FireId id, @Nullable Cursor current, @Nullable Instant after) implements NotClaimed {}

    /**
     * Somebody has claimed or decided this fire before, or the request is gone. Not run; its cursor, if it is a due
     * slot, has moved on.
     */
    record AlreadyDecided(FireId id, String why) implements NotClaimed {}

    /** Not known to be ours: no answer, session gone, or lease over. Not run; recovery decides it. */
    record GivenUp(FireId id, String why) implements NotClaimed {}

    /** A limit forbids it: too many running records, a record too large, a name too long. Nothing was written. */
    record Refused(FireId id, String why) implements NotClaimed {}
}
