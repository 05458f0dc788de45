package io.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What a process left: its exit code and everything it printed. */
record Finished(int code, String output) {
    private static final long PATIENCE_SECONDS = 120;

    /** Runs a command to its end. */
    static Finished run(Path directory, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        return of(builder(directory, environment, command).start());
    }

    /** Waits for a process's end. */
    static Finished of(Process process) throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("ended; output: %s", output)
                .isTrue();
        return new Finished(process.exitValue(), output);
    }

    /** A process with the caller's environment, less what would configure Latchkey, plus what is given. */
    static ProcessBuilder builder(Path directory, Map<String, String> environment, List<String> command) {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("LATCHKEY_") || name.equals("JAVA_HOME"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        environment.forEach((name, value) -> {
            if (value.isEmpty()) {
                builder.environment().remove(name);
            } else {
                builder.environment().put(name, value);
            }
        });
        return builder;
    }
}
