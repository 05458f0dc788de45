package io.latchkey;

import io.latchkey.cli.LatchkeyCommand;

/** The program behind {@code bin/latchkey}. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(LatchkeyCommand.execute(Application::start, args));
    }
}
