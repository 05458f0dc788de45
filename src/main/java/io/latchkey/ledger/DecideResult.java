package io.latchkey.ledger;

/** What became of a leader's decision on another's running record. */
public sealed interface DecideResult {
    /** It stands. */
    record Decided(Held now) implements DecideResult {}

    /** Somebody, most likely its owner, decided first; read it again. */
    record Overtaken(String why) implements DecideResult {}

    /** The term is over. */
    record Fenced(String reason) implements DecideResult {}

    /** Not known whether it stands. */
    record GivenUp(String why) implements DecideResult {}
}
