package io.latchkey.ledger;

/** The ledger could not be read or written: ZooKeeper did not answer, or what is there cannot be. */
public class LedgerException extends Exception {
    private static final long serialVersionUID = 1L;

    public LedgerException(String message) {
        super(message);
    }

    public LedgerException(String message, Throwable cause) {
        super(message, cause);
    }
}
