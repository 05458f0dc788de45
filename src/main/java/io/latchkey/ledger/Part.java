package io.latchkey.ledger;

import io.latchkey.zookeeper.OpOutcome;
import io.latchkey.zookeeper.ReadBack;
import io.latchkey.zookeeper.ReadResult;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Operations that stand or fall together, and how to see afterwards that they stood.
 *
 * @param ops at least one
 * @param proof a node that only this write leaves as it is then
 */
record Part(Transaction ops, Proof proof) {

    /** Tells a write of ours that was applied, its reply lost, from another's. */
    interface Proof {
        CompletableFuture<ReadBack> readBack(Session session);
    }

    /** The node holds just these bytes (a nonce in them, or a version nobody else can have made) at this version. */
    static Proof holds(String path, byte[] data, int version) {
        return session -> session.get(path).thenApply(read -> {
            if (read instanceof ReadResult.Found<byte[]> found) {
                return found.version() == version && Arrays.equals(found.value(), data)
                        ? new ReadBack.Ours(found.stat().getMzxid())
                        : new ReadBack.NotOurs();
            }
            return read instanceof ReadResult.Missing<byte[]> ? new ReadBack.NotOurs() : new ReadBack.Undecided();
        });
    }

    /** The node is there. */
    static CompletableFuture<ReadBack> exists(String path, Session session) {
        return session.exists(path).thenApply(read -> {
            if (read instanceof ReadResult.Found<?>) {
                return new ReadBack.Ours(TxResult.Committed.NO_ZXID);
            }
            return read instanceof ReadResult.Missing<?> ? new ReadBack.NotOurs() : new ReadBack.Undecided();
        });
    }

    /** The node is gone. */
    static Proof gone(String path) {
        return session -> session.exists(path).thenApply(read -> {
            if (read instanceof ReadResult.Found<?>) {
                return new ReadBack.NotOurs();
            }
            return read instanceof ReadResult.Missing<?>
                    ? new ReadBack.Ours(TxResult.Committed.NO_ZXID)
                    : new ReadBack.Undecided();
        });
    }

    /** What became of a part. */
    sealed interface Result {
        /** It stands. */
        record Stands(List<OpOutcome> ops) implements Result {}

        /** Refused at one of its own operations; the others' parts are not touched by it. */
        record Failed(int op, TxResult.Reason reason) implements Result {}

        /** Nothing was sent: larger than a transaction may be. */
        record TooLarge(String why) implements Result {}

        /** The term is over. */
        record Fenced(String reason) implements Result {}

        /** Not known; the session is gone or does not answer. */
        record Unknown(String why) implements Result {
            @Override
            public String toString() {
                return "not known to be written: " + why;
            }
        }
    }
}
