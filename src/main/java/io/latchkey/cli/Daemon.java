package io.latchkey.cli;

import io.latchkey.conf.Settings;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.view.ClusterView;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** An instance that {@code start} has put into the background. */
final class Daemon {
    private static final int TAIL_LINES = 15;
    /** What is not logged but printed, by the virtual machine or by jobs: a file of this size is put aside at a start. */
    private static final long MOST_OUTPUT = 10_000_000;

    private final Process process;
    private final Settings settings;
    private final Path output;
    private final long outputBefore;
    private final long logBefore;

    private Daemon(Process process, Settings settings, Path output, long outputBefore, long logBefore) {
        this.process = process;
        this.settings = settings;
        this.output = output;
        this.outputBefore = outputBefore;
        this.logBefore = logBefore;
    }

    /**
     * Starts {@code bin/latchkey run --daemon} in a session of its own, so that it outlives the terminal.
     *
     * @throws CliException if a directory cannot be written or the process not be started
     */
    static Daemon spawn(Path confDir, Map<String, String> overrides, Settings settings) throws CliException {
        Path logDir = settings.paths().logDir();
        Directories.requireWritable("log.dir", logDir);
        Directories.requireWritable("data.dir", settings.paths().dataDir());
        String launcher = System.getProperty("latchkey.launcher");
        if (launcher == null) {
            throw new CliException(ExitCode.NO, "start it with bin/latchkey: this program does not know its launcher");
        }
        List<String> command = new ArrayList<>();
        // Where there is no setsid (it is on every Linux), a daemon still ignores the terminal's hang-up.
        command.addAll(List.of(
                "/bin/sh",
                "-c",
                "trap '' HUP; if command -v setsid >/dev/null 2>&1; then exec setsid \"$@\"; else exec \"$@\"; fi",
                "latchkey",
                launcher,
                "run",
                "--daemon",
                "--conf",
                confDir.toString()));
        overrides.forEach((key, value) -> command.add("-D" + key + "=" + value));
        Path output = logDir.resolve("latchkey.out");
        try {
            if (size(output) > MOST_OUTPUT) {
                Files.move(output, logDir.resolve("latchkey.out.1"), StandardCopyOption.REPLACE_EXISTING);
            }
            long before = size(output);
            long logBefore = size(log(settings));
            Process process = new ProcessBuilder(command)
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                    .redirectErrorStream(true)
                    .start();
            return new Daemon(process, settings, output, before, logBefore);
        } catch (IOException e) {
            throw new CliException(ExitCode.NO, "cannot start " + launcher + ": " + e, e);
        }
    }

    long pid() {
        return process.pid();
    }

    Path log() {
        return log(settings);
    }

    private static Path log(Settings settings) {
        return settings.paths().logDir().resolve("latchkey.log");
    }

    private static long size(Path file) throws IOException {
        return Files.exists(file) ? Files.size(file) : 0;
    }

    /** Waits until the instance is in ZooKeeper, or has ended, or the patience is over; says which. */
    ExitCode awaitJoined(Duration patience, PrintWriter out) throws InterruptedException, CliException {
        long deadline = System.nanoTime() + patience.toNanos();
        String reason = "it has not published itself in ZooKeeper yet";
        while (System.nanoTime() < deadline) {
            if (process.waitFor(500, TimeUnit.MILLISECONDS)) {
                return ended(out);
            }
            try {
                Optional<ClusterView.Instance> joined = ClusterLook.once(settings).instances().stream()
                        .filter(this::isOurs)
                        .findFirst();
                if (joined.isPresent()) {
                    out.println("Joined as " + joined.get().id() + ", "
                            + joined.get().role());
                    return ExitCode.OK;
                }
            } catch (CliException e) {
                reason = String.valueOf(e.getMessage());
            }
        }
        out.println("Running, but not joined after " + patience.toSeconds() + " s: " + reason
                + ". It is left running and goes on trying (`latchkey stop` ends it); the last lines of its log:");
        tail(log(), logBefore, out);
        return ExitCode.UNREACHABLE;
    }

    private boolean isOurs(ClusterView.Instance instance) {
        Long pid = instance.pid();
        return instance.place() != null && pid != null && pid == process.pid();
    }

    private ExitCode ended(PrintWriter out) throws CliException {
        int code = process.exitValue();
        out.println("It ended at once, exit code " + code + ":");
        tail(log(), logBefore, out);
        tail(output, outputBefore, out);
        for (ExitCode known : ExitCode.values()) {
            if (known.code() == code && known != ExitCode.OK) {
                return known;
            }
        }
        return ExitCode.NO;
    }

    private static void tail(Path file, long from, PrintWriter out) throws CliException {
        if (!Files.exists(file)) {
            return;
        }
        try {
            byte[] all = Files.readAllBytes(file);
            // Shorter than before: it was rolled meanwhile, and all of it is new.
            int start = from > all.length ? 0 : (int) from;
            String text = new String(all, start, all.length - start, java.nio.charset.StandardCharsets.UTF_8);
            List<String> lines = text.lines().toList();
            lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size())
                    .forEach(line -> out.println("  " + line));
        } catch (IOException e) {
            throw new CliException(ExitCode.NO, "cannot read " + file + ": " + e, e);
        }
    }
}
