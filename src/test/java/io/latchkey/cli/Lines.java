package io.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** What a running process prints, line by line, while it runs. Thread-safe. */
final class Lines {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Process process;
    private final List<String> lines = new ArrayList<>();
    private boolean ended;

    private Lines(Process process) {
        this.process = process;
    }

    /** Reads from now on what the process prints. */
    static Lines of(Process process) {
        Lines lines = new Lines(process);
        Thread reader = new Thread(lines::read, "output-of-" + process.pid());
        reader.setDaemon(true);
        reader.start();
        return lines;
    }

    private void read() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                add(line);
            }
        } catch (IOException e) {
            add("(its output ended: " + e + ")");
        }
        synchronized (this) {
            ended = true;
            notifyAll();
        }
    }

    private synchronized void add(String line) {
        lines.add(line);
        notifyAll();
    }

    Process process() {
        return process;
    }

    /** The first such line, waited for; fails with all lines where the output ends without it. */
    synchronized String await(Predicate<String> wanted) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (int next = 0; ; next++) {
            while (next == lines.size() && !ended && System.nanoTime() < deadline) {
                wait(1000);
            }
            assertThat(next).as("a line as wanted in: %s", lines).isLessThan(lines.size());
            if (wanted.test(lines.get(next))) {
                return lines.get(next);
            }
        }
    }

    /** Waits for the process's end, and that of its output; returns the exit code. */
    int end() throws InterruptedException {
        boolean inTime = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(inTime).as("ended; output: %s", text()).isTrue();
        synchronized (this) {
            while (!ended) {
                wait(1000);
            }
        }
        return process.exitValue();
    }

    synchronized String text() {
        return String.join("\n", lines);
    }
}
