package io.latchkey.view;

import io.latchkey.ledger.KeyText;
import io.latchkey.ledger.Retry;
import io.latchkey.ledger.RunningRecord;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A claimed fire without an outcome. Its fields are those of {@code --json}.
 *
 * @param fire its id
 * @param job its job
 * @param trigger its trigger
 * @param slot when it was due
 * @param state how it stands
 * @param instance who claimed it
 * @param incarnation that instance's session
 * @param term the term that claimed it
 * @param attempt which attempt it is
 * @param since when it was claimed, by the claimer's clock; of one that waits, when its last attempt failed
 * @param retryAt when it is tried again, of one that waits for that; else null
 */
public record FireView(
        String fire,
        String job,
        String trigger,
        Instant slot,
        State state,
        String instance,
        String incarnation,
        long term,
        int attempt,
        Instant since,
        @Nullable Instant retryAt) {
    /** How a fire without an outcome stands. */
    public enum State {
        /** Its instance lives and has it. */
        RUNNING,
        /** Its instance is gone: the leader runs it again or gives it up. */
        OWNER_GONE,
        /** Given back before it started: the leader runs it. */
        RELEASED,
        /** It failed, and is tried again when it is time. */
        WAITING
    }

    /** A record as it stands, with the incarnations that live now. */
    public static FireView of(RunningRecord record, Set<String> live) {
        boolean lives = live.contains(record.owner().incarnation());
        Instant retryAt = record.retry().map(Retry::notBefore).orElse(null);
        State state = retryAt != null
                ? State.WAITING
                : record.state() == RunningRecord.State.RELEASED
                        ? State.RELEASED
                        : lives ? State.RUNNING : State.OWNER_GONE;
        return new FireView(
                record.id().toString(),
                KeyText.of(record.job()),
                KeyText.of(record.id().trigger()),
                record.slot(),
                state,
                record.owner().instance(),
                record.owner().incarnation(),
                record.owner().term(),
                record.current().number(),
                record.current().claimed(),
                retryAt);
    }
}
