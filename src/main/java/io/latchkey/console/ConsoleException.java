package io.latchkey.console;

/** The console cannot be as it is configured; the message says why and what to do. */
public final class ConsoleException extends Exception {
    private static final long serialVersionUID = 1L;

    ConsoleException(String message) {
        super(message);
    }

    ConsoleException(String message, Throwable cause) {
        super(message, cause);
    }
}
