package io.latchkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.latchkey.conf.ConfException;
import io.latchkey.conf.Settings;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.view.ClusterView;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.ZNodes;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

@Command(
        name = "status",
        description = "Show who leads, since when, and every instance with its place in the latch, as ZooKeeper has it."
                + " Exits 0 if somebody leads, 1 if nobody does, 3 if ZooKeeper cannot be reached.")
final class StatusCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private LatchkeyCommand parent;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--json", description = "The same as JSON.")
    private boolean json;

    @Override
    public Integer call() throws ConfException, CliException, InterruptedException, JsonProcessingException {
        Settings settings = parent.settings();
        ClusterView view;
        try (EnsembleConnection connection = EnsembleConnection.open(settings, "", EnsembleConnection::ignore)) {
            new Roots(connection).require(new ZNodes(settings.zookeeper().root()));
            view = ClusterLook.on(connection, settings);
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(view));
        } else {
            StatusText.print(view, Clock.systemUTC().instant(), out);
        }
        return (view.isLed() ? ExitCode.OK : ExitCode.NO).code();
    }
}
