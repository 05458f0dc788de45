package io.latchkey.drill;

/** The drill cannot go on, for a reason outside of what it tests; the message says what to do. */
public final class DrillException extends Exception {
    public DrillException(String message) {
        super(message);
    }

    public DrillException(String message, Throwable cause) {
        super(message, cause);
    }
}
