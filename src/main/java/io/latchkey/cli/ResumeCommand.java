package io.latchkey.cli;

import io.latchkey.ledger.Request;
import picocli.CommandLine.Command;

@Command(
        name = "resume",
        description =
                "End a pause; with scheduler.catch-up=hold also let what is held catch up. --all ends every pause.")
final class ResumeCommand extends PauseOrResume {
    ResumeCommand() {
        super(Request.Kind.RESUME);
    }
}
