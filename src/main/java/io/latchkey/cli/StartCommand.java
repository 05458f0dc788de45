package io.latchkey.cli;

import io.latchkey.conf.ConfException;
import io.latchkey.conf.Settings;
import io.latchkey.lifecycle.ExitCode;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

@Command(
        name = "start",
        description = "Start an instance as a daemon and wait until it has joined. Logs to log.dir; the PID is in"
                + " data.dir/latchkey.pid. Needs a real ensemble: refuses zookeeper.connect=embedded.")
final class StartCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private LatchkeyCommand parent;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(
            names = "--wait",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description =
                    "How long to wait until it has joined (default: ${DEFAULT-VALUE}). After that the daemon is left"
                            + " running and goes on trying; `latchkey stop` ends it.")
    private int waitSeconds;

    @Override
    public Integer call() throws ConfException, CliException, InterruptedException {
        Settings settings = parent.settings();
        Embedded.refuse(settings);
        Optional<ProcessHandle> running = PidFile.running(settings);
        if (running.isPresent()) {
            throw new CliException(
                    ExitCode.ALREADY_RUNNING,
                    "already running, pid " + running.get().pid() + " (" + PidFile.path(settings) + ")");
        }
        PrintWriter out = spec.commandLine().getOut();
        Daemon daemon = Daemon.spawn(parent.confDir(), parent.overrides(), settings);
        out.println("Starting, pid " + daemon.pid() + ", log " + daemon.log());
        return daemon.awaitJoined(Duration.ofSeconds(waitSeconds), out).code();
    }
}
