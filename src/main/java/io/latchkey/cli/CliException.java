package io.latchkey.cli;

import io.latchkey.lifecycle.ExitCode;

/** A command that cannot do what it was asked to, for a reason the user can understand. The message says what to do. */
public final class CliException extends Exception {
    private final ExitCode exitCode;

    public CliException(ExitCode exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public CliException(ExitCode exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** What the process ends with. */
    public ExitCode exitCode() {
        return exitCode;
    }
}
