package io.latchkey.jobs.shell;

import io.latchkey.lifecycle.Faults;
import io.latchkey.lifecycle.Threads;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * One program, from its start until nothing of it is left.
 *
 * <p>It runs in a session, and so in a process group, of its own. When it ends, or the calling thread is interrupted, all
 * processes of the session are ended: TERM, the grace, KILL. What it started in the background does not outlive the run,
 * unless it made a session of its own ({@code setsid}, as daemons do); then nobody here can find it. Output of such a daemon
 * that still goes to the run's output is cut off with the run, and holds nothing up.
 *
 * <p>If this process is killed hard, the {@link Wrapper}'s watchdog does the same; nobody reads the output then, and a program
 * that writes some meets SIGPIPE. What remains possible: a child in its own
 * session; the watchdog itself killed before; a process of another user (sudo); this process frozen, not dead. Only the
 * fencing token helps against those.
 */
public final class CommandRun {
    private static final Logger log = LoggerFactory.getLogger(CommandRun.class);
    private static final Threads THREADS = new Threads(new Faults());
    private static final SecureRandom RANDOM = new SecureRandom();
    /** For what needs no more than the kernel's and a shell's own doing, on a machine however busy. */
    private static final Duration SOON = Duration.ofSeconds(10);
    /** Between two looks at what is left, while it is being ended. */
    private static final long PAUSE_MILLIS = 30;

    private final String name;
    private final Command command;
    private final Process process;
    private final SessionProcesses session;
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();
    private final CompletableFuture<Boolean> read = new CompletableFuture<>();
    /** The calling thread was interrupted while it was ending things, which it finishes first. */
    private boolean interrupted;

    private CommandRun(String name, Command command, Process process) {
        this.name = name;
        this.command = command;
        this.process = process;
        this.session = new SessionProcesses(process.pid());
    }

    /**
     * Runs a command to its end, on the calling thread.
     *
     * @param name what to call it in the log
     * @param output gets its standard output and error, line by line, on another thread that has this one's MDC
     * @return the exit code; 128 + n if signal n ended it, 127 if there is no such program
     * @throws IOException if it cannot be started; the message says why
     * @throws InterruptedException if the thread was interrupted; the program is then ended, or the log says which
     *     processes could not be
     */
    public static int run(String name, Command command, OutputLog output) throws IOException, InterruptedException {
        String mark = randomWord();
        CommandRun run = new CommandRun(name, command, start(command));
        try {
            run.read(mark, output);
            run.order(mark);
            int code = run.exit.get();
            run.endRest();
            return code;
        } catch (InterruptedException e) {
            run.end();
            throw e;
        } catch (ExecutionException e) {
            run.end();
            throw new IOException("the shell around " + name + " was killed; what it ran was ended as well", e);
        } finally {
            run.dismiss();
            output.end();
        }
    }

    private static String randomWord() {
        byte[] bytes = new byte[16];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static Process start(Command command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(Wrapper.around(command.words(), command.killGrace())).redirectErrorStream(true);
        Path directory = command.directory();
        if (directory != null) {
            if (!Files.isDirectory(directory)) {
                throw new IOException("there is no directory " + directory + " on this host");
            }
            builder.directory(directory.toFile());
        }
        Map<String, String> service = System.getenv();
        builder.environment().clear();
        builder.environment().putAll(Environments.of(command, service));
        return builder.start();
    }

    private void read(String mark, OutputLog output) {
        Map<String, String> mdc = MDC.getCopyOfContextMap();
        OutputReader reader = new OutputReader(process.getInputStream(), mark, output::line, this::reported);
        THREADS.start("output-" + process.pid(), () -> {
            if (mdc != null) {
                MDC.setContextMap(mdc);
            }
            try {
                reader.readUntil(Wrapper.END);
            } catch (IOException e) {
                log.warn("The output of {} cannot be read any more; it runs on", name, e);
            } finally {
                read.complete(true);
            }
        });
        var unused = process.onExit()
                .thenRun(() -> exit.completeExceptionally(new IllegalStateException("the wrapper ended unasked")));
    }

    private void reported(String report) {
        if (report.startsWith(Wrapper.WATCHDOG)) {
            session.leaveOut(Long.parseLong(report.substring(Wrapper.WATCHDOG.length())));
        } else if (report.startsWith(Wrapper.EXIT)) {
            exit.complete(Integer.parseInt(report.substring(Wrapper.EXIT.length())));
        }
    }

    /** What is left of a program that has ended by itself. */
    private void endRest() {
        List<ProcessHandle> left = session.alive();
        if (!left.isEmpty()) {
            log.warn(
                    "{} ended and left processes behind in its session ({}); they are ended now, for nobody would"
                            + " answer for them. What shall outlive a run has to be started with setsid",
                    name,
                    described(left));
            end();
        }
    }

    /** Ends all there is in the session. Does not stop half-way when interrupted. */
    private void end() {
        long from = System.nanoTime();
        Set<ProcessHandle> told = new HashSet<>();
        List<ProcessHandle> alive = session.alive();
        while (!alive.isEmpty() && within(from, command.killGrace())) {
            // Each once: a program may take a second TERM as an order to drop everything.
            alive.stream().filter(told::add).forEach(ProcessHandle::destroy);
            pause();
            alive = session.alive();
        }
        if (alive.isEmpty()) {
            return;
        }
        log.warn(
                "{} did not end within {} ms of TERM; killing {}",
                name,
                command.killGrace().toMillis(),
                described(alive));
        while (!alive.isEmpty() && within(from, command.killGrace().plus(SOON))) {
            alive.forEach(ProcessHandle::destroyForcibly);
            pause();
            alive = session.alive();
        }
        if (!alive.isEmpty()) {
            log.error(
                    "{} could not be ended: {} still run, as another user or within the kernel. End them by hand, and"
                            + " see what they may have written",
                    name,
                    described(alive));
        }
    }

    /** Lets watchdog and wrapper go: all is seen to. */
    private void dismiss() {
        order("");
        if (!await(read)) {
            log.debug("Something that {} started holds its output; it is not read any more", name);
        }
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            log.debug("The wrapper of {} had ended before", name, e);
        }
        if (!await(process.onExit())) {
            log.warn("The shell around {} does not end; killing it", name);
            process.destroyForcibly();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void order(String line) {
        try {
            OutputStream orders = process.getOutputStream();
            orders.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            orders.flush();
        } catch (IOException e) {
            // Its end is what tells, and what is acted on.
            log.debug("The wrapper of {} takes no orders any more", name, e);
        }
    }

    private boolean await(CompletableFuture<?> future) {
        long from = System.nanoTime();
        while (within(from, SOON)) {
            try {
                future.get(SOON.toMillis(), TimeUnit.MILLISECONDS);
                return true;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException | TimeoutException e) {
                log.debug("Waiting for the end of {}", name, e);
                return false;
            }
        }
        return false;
    }

    private void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
    }

    private static boolean within(long fromNanos, Duration patience) {
        return System.nanoTime() - fromNanos < patience.toNanos();
    }

    private static String described(List<ProcessHandle> processes) {
        return processes.stream()
                .limit(10)
                .map(handle -> handle.pid()
                        + handle.info().command().map(path -> " " + path).orElse(""))
                .collect(Collectors.joining(", "));
    }
}
