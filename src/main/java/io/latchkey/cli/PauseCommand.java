package io.latchkey.cli;

import io.latchkey.ledger.Request;
import picocli.CommandLine.Command;

@Command(
        name = "pause",
        description =
                "Let a job, a trigger or everything fire no more until it is resumed; survives changes of leader.")
final class PauseCommand extends PauseOrResume {
    PauseCommand() {
        super(Request.Kind.PAUSE);
    }
}
