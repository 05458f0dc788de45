package io.latchkey.ledger;

/** A ledger cannot be imported as it is, or here. Nothing was written; the message says what to do. */
public final class ImportRefusedException extends LedgerException {
    private static final long serialVersionUID = 1L;

    public ImportRefusedException(String message) {
        super(message);
    }

    public ImportRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
