package io.latchkey.election;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where this instance stands, shared between the {@code leadership} thread, which writes all of it, and those that close the
 * gate: it belongs to the term that is being taken or led, and is in place before the first step of taking it, so that no
 * event in between is missed.
 */
final class Standing {
    volatile Role role = Role.JOINING;
    volatile @Nullable Membership membership;
    volatile @Nullable Term term;
    volatile Gate gate = closed();
    /** Since when the leadership thread is at one piece of work, or 0. */
    volatile long busySinceNanos;
    /** The worker failed: set before the gate is closed for it. */
    volatile boolean workerFailed;
    /** A handover was asked for: set before the gate is closed for it. */
    volatile boolean handover;
    /** The connection, the session or the latch was heard to go: set before the gate is closed for it. */
    volatile boolean lossHeard;
    /** Why it does not lead though it might, for people; empty if nothing is wrong. */
    volatile String trouble = "";

    /** Why it does not lead though it might; empty while it is a candidate or leads. */
    Optional<String> troubled() {
        String why = trouble;
        return (role == Role.BLOCKED || role == Role.BACKING_OFF) && !why.isEmpty()
                ? Optional.of(why)
                : Optional.empty();
    }

    private static Gate closed() {
        Gate gate = new Gate();
        gate.close("no term yet");
        return gate;
    }
}
