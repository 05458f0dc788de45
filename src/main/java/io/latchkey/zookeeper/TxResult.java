package io.latchkey.zookeeper;

import java.util.List;

/** How a transaction ended. None of these is an error of the program. */
public sealed interface TxResult {
    /**
     * Applied.
     *
     * @param ops one outcome per operation, in order
     * @param zxid the transaction's id, rising with every write to the ensemble; {@link #NO_ZXID} if it held no set (for a
     *     creation ZooKeeper reports none: add a set of the same node at version 0 to learn it)
     */
    record Committed(List<OpOutcome> ops, long zxid) implements TxResult {
        public static final long NO_ZXID = -1;

        public Committed {
            ops = List.copyOf(ops);
        }
    }

    /**
     * Not applied, and never will be.
     *
     * @param index the operation that failed, from 0; {@link #WHOLE} if the request as such was refused
     * @param codes ZooKeeper's code for each operation: 0 before the culprit, its code, then -2 for those never tried
     */
    record Refused(int index, Reason reason, List<Integer> codes) implements TxResult {
        public static final int WHOLE = -1;

        public Refused {
            codes = List.copyOf(codes);
        }

        @Override
        public String toString() {
            return "refused (" + reason + (index == WHOLE ? ")" : ", operation " + index + ")");
        }
    }

    /** Whether it was applied is not known; the session may go on, and {@link Session#resolve} can find out. */
    record Unknown(Cause cause) implements TxResult {
        @Override
        public String toString() {
            return "its outcome is not known (" + cause + ")";
        }
    }

    /**
     * The session is over, and nothing will be sent on it again. Whether the transaction was applied before that is not
     * known: what it may have written is in flight, to be decided by whoever reads it later.
     */
    record SessionGone(String why) implements TxResult {
        @Override
        public String toString() {
            return why;
        }
    }

    /** Why an operation was refused. */
    enum Reason {
        /** The node is missing; for a creation, its parent. The index tells which. */
        NO_NODE,
        BAD_VERSION,
        NODE_EXISTS,
        NO_AUTH,
        NOT_EMPTY,
        OTHER
    }

    /** Why the outcome is not known. */
    enum Cause {
        CONNECTION_LOSS,
        TIMEOUT
    }

    default boolean isCommitted() {
        return this instanceof Committed;
    }
}
