package io.latchkey.cli;

import io.latchkey.lifecycle.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a command that ran within this process printed, and its exit code. */
record Output(int code, String out, String err) {
    /** Runs a command with a configuration directory; it has no instance to run. */
    static Output of(Path conf, String command, String[] options, String... more) {
        List<String> arguments = new ArrayList<>(List.of(command, "--conf", conf.toString()));
        arguments.addAll(List.of(more));
        arguments.addAll(List.of(options));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = LatchkeyCommand.execute(
                (settings, source, failFast) -> {
                    throw new CliException(ExitCode.NO, "no instance in this test");
                },
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                arguments.toArray(String[]::new));
        return new Output(code, out.toString(), err.toString());
    }
}
