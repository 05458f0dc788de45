package io.latchkey.cli;

import io.latchkey.conf.ConfException;
import io.latchkey.conf.Settings;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

@Command(name = "restart", description = "Stop the daemon if it runs, then start it. Checks the configuration first.")
final class RestartCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private LatchkeyCommand parent;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws ConfException, CliException, InterruptedException {
        Settings settings = parent.settings();
        Embedded.refuse(settings);
        Catalogs.load(settings);
        var out = spec.commandLine().getOut();
        StopCommand.stop(settings, out);
        Daemon daemon = Daemon.spawn(parent.confDir(), parent.overrides(), settings);
        out.println("Starting, pid " + daemon.pid() + ", log " + daemon.log());
        return daemon.awaitJoined(PATIENCE, out).code();
    }
}
