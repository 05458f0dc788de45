package io.latchkey.ledger;

/** What became of an outcome, or of a release. */
public sealed interface Completion {
    /** It is durable. */
    record Recorded() implements Completion {}

    /** Another decision stands: recovery came first, or the record was deleted. */
    record Overtaken(String why) implements Completion {}

    /** Not known to be durable: the session is gone, or the ledger was closed. Recovery decides. */
    record GivenUp(String why) implements Completion {}
}
