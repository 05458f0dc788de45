package io.latchkey.cli;

import io.latchkey.lifecycle.ExitCode;
import io.latchkey.lifecycle.Threads;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A process of this program's own, on the same Java and class path. Its standard input stays open as long as this
 * process lives, which is how it notices the end of this one, however that comes. It does not hear the terminal's
 * Ctrl-C: who started it stops it, in the right order.
 */
final class ChildProcess {
    private final String name;
    private final Process process;

    private ChildProcess(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    /**
     * Starts a command of this program.
     *
     * @param output gets each line it writes, on a thread of its own
     */
    static ChildProcess start(String name, List<String> arguments, Threads threads, Consumer<String> output)
            throws CliException {
        List<String> command = new ArrayList<>(List.of(
                "/bin/sh",
                "-c",
                "trap '' INT; exec \"$@\"",
                "latchkey",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Xmx160m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dfile.encoding=UTF-8",
                "-Djava.awt.headless=true",
                "-Dlatchkey.home=" + System.getProperty("latchkey.home", ".")));
        if (Runtime.version().feature() >= 24) {
            command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        }
        command.add("io.latchkey.Main");
        command.addAll(arguments);
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            // Settings in the environment would go over those meant for the child.
            builder.environment().keySet().removeIf(variable -> variable.startsWith("LATCHKEY_"));
            Process process = builder.start();
            threads.start("output-" + name, () -> pump(process, output));
            return new ChildProcess(name, process);
        } catch (IOException e) {
            throw new CliException(ExitCode.NO, "cannot start a process for " + name + ": " + e, e);
        }
    }

    private static void pump(Process process, Consumer<String> output) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.accept(line);
            }
        } catch (IOException e) {
            output.accept("(its output is lost: " + e + ")");
        }
    }

    String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** How it ended, as a shell would say it: 137 is kill -9. */
    int exitCode() {
        return process.exitValue();
    }

    /** Asks it to stop; returns at once. */
    void terminate() {
        // Process.destroy would close its output as well, and with it what it says at its end.
        process.toHandle().destroy();
    }

    /** Waits for its end, and kills it if that does not come in time, or the waiting is interrupted. */
    void awaitEnd(Duration patience) {
        try {
            if (process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
