package io.latchkey.ledger;

/**
 * A running record as it was read or written, with the version that its next change must find.
 *
 * @param record the record
 * @param version its znode's version
 */
public record Held(RunningRecord record, int version) {}
