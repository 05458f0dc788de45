package io.latchkey;

import io.latchkey.cli.CliException;
import io.latchkey.cli.InstanceStarter;
import io.latchkey.cli.LatchkeyCommand;
import io.latchkey.lifecycle.ExitCode;

/** The program behind {@code bin/latchkey}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        InstanceStarter starter = (settings, failFast) -> {
            throw new CliException(ExitCode.NO, "instances are not wired yet");
        };
        System.exit(LatchkeyCommand.execute(starter, args));
    }
}
