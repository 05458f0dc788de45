package io.latchkey.zookeeper;

/** What reading a node back says about a transaction that may have been applied. */
public sealed interface ReadBack {
    /**
     * It was applied: the node carries its nonce.
     *
     * @param zxid of the write that put it there, or {@link TxResult.Committed#NO_ZXID}
     */
    record Ours(long zxid) implements ReadBack {}

    /** It was not applied, or what it wrote is not ours any more. */
    record NotOurs() implements ReadBack {}

    /** The read failed; ask again. */
    record Undecided() implements ReadBack {}
}
