package io.latchkey.drill;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A process that the drill started. Its standard input stays open as long as the drill lives, by which it can notice the
 * drill's end; it does not hear the terminal's Ctrl-C, since the drill ends it. Thread-safe.
 */
final class OsProcess {
    private static final Duration REAPED = Duration.ofSeconds(5);

    private final String name;
    private final Process process;
    private final Instant started = Instant.now();
    private final CompletableFuture<Instant> ended;

    private OsProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        this.ended = process.onExit().thenApply(over -> Instant.now());
    }

    /**
     * Starts one.
     *
     * @param environment over the drill's own, of which nothing of this program's is handed down
     * @param output gets all that it says, appended
     */
    static OsProcess start(String name, List<String> command, Map<String, String> environment, Path output)
            throws DrillException {
        List<String> shielded = new ArrayList<>(List.of("/bin/sh", "-c", "trap '' INT; exec \"$@\"", name));
        shielded.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(shielded)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        builder.environment().keySet().removeIf(variable -> variable.startsWith("LATCHKEY_"));
        builder.environment().putAll(environment);
        try {
            return new OsProcess(name, builder.start());
        } catch (IOException e) {
            throw new DrillException("cannot start a process for " + name + ": " + e, e);
        }
    }

    long pid() {
        return process.pid();
    }

    Instant started() {
        return started;
    }

    /** When it ended; {@link Instant#MAX} if it has not. */
    Instant ended() {
        return process.isAlive()
                ? Instant.MAX
                : ended.completeOnTimeout(Instant.now(), 1, TimeUnit.SECONDS).join();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** As a shell has it: 137 is kill -9. Only of one that has ended. */
    int exitCode() {
        return process.exitValue();
    }

    /** Kills it (-9) and waits until it is gone. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor(REAPED.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Kills it (-9), without waiting. */
    void killNow() {
        process.destroyForcibly();
    }

    /** Sends a signal such as "STOP". */
    void signal(String signal) throws DrillException, InterruptedException {
        run(List.of("kill", "-" + signal, Long.toString(pid())));
    }

    /** Lets no file of it grow beyond this: a write fails then, as on a full disk. */
    void limitFileSize(long bytes) throws DrillException, InterruptedException {
        run(List.of("prlimit", "--pid", Long.toString(pid()), "--fsize=" + bytes + ":" + bytes));
    }

    /** Waits for its end; false if it did not come in time. */
    boolean awaitEnd(Duration patience) throws InterruptedException {
        return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void run(List<String> command) throws DrillException, InterruptedException {
        try {
            Process helper = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (helper.waitFor() != 0) {
                throw new DrillException("\"" + String.join(" ", command) + "\" failed for " + name);
            }
        } catch (IOException e) {
            throw new DrillException("cannot run " + command.get(0) + ": " + e, e);
        }
    }
}
