package io.latchkey.zookeeper;

/** A transaction past the limits; nothing of it was sent. */
public final class TransactionTooLargeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    TransactionTooLargeException(int ops, int bytes) {
        super("A transaction of " + ops + " operations and " + bytes + " bytes was not sent: the limits are "
                + Transaction.MAX_OPS + " operations and " + Transaction.MAX_BYTES
                + " bytes. Split it, or make its records smaller");
    }
}
