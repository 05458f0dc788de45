package io.latchkey.cli;

import io.latchkey.conf.ConfException;
import io.latchkey.conf.Settings;
import io.latchkey.lifecycle.ExitCode;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

@Command(
        name = "stop",
        description = "Stop the daemon: it hands the lead over, if it leads, and finishes its running jobs"
                + " (shutdown.drain-timeout).")
final class StopCommand implements Callable<Integer> {
    private static final Duration SAY_AGAIN = Duration.ofSeconds(5);

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private LatchkeyCommand parent;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws ConfException, CliException, InterruptedException {
        Settings settings = parent.settings();
        stop(settings, spec.commandLine().getOut());
        return ExitCode.OK.code();
    }

    /**
     * Stops the daemon and waits for its end.
     *
     * @throws CliException if it does not end in time
     */
    static void stop(Settings settings, PrintWriter out) throws CliException, InterruptedException {
        Optional<ProcessHandle> running = PidFile.running(settings);
        if (running.isEmpty()) {
            out.println("Not running");
            return;
        }
        ProcessHandle daemon = running.get();
        Duration drain = settings.shutdown().drainTimeout();
        out.println("Stopping pid " + daemon.pid()
                + ": if it leads it hands the lead over; its running jobs may take " + drain.toSeconds()
                + " s to finish");
        if (!daemon.destroy()) {
            throw new CliException(
                    ExitCode.NO, "cannot signal pid " + daemon.pid() + ": stop it as the user it runs as");
        }
        long start = System.nanoTime();
        // The daemon bounds itself; this is a little longer.
        Duration bound = drain.plus(OrderedStop.MARGIN).plusSeconds(5);
        while (!ended(daemon)) {
            Duration waited = Duration.ofNanos(System.nanoTime() - start);
            if (waited.compareTo(bound) > 0) {
                throw new CliException(
                        ExitCode.NO,
                        "pid " + daemon.pid() + " has not ended after " + waited.toSeconds() + " s; see "
                                + settings.paths().logDir().resolve("latchkey.log") + ", or kill -9 " + daemon.pid());
            }
            out.println("Waiting since " + waited.toSeconds() + " s for it to end");
        }
        out.println("Stopped");
    }

    private static boolean ended(ProcessHandle daemon) throws InterruptedException, CliException {
        try {
            daemon.onExit().get(SAY_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return !daemon.isAlive();
        } catch (ExecutionException e) {
            throw new CliException(ExitCode.NO, "cannot wait for pid " + daemon.pid() + ": " + e.getCause(), e);
        }
    }
}
