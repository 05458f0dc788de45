package io.latchkey.cli;

import io.latchkey.conf.ConfException;
import io.latchkey.conf.Settings;
import io.latchkey.lifecycle.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.zookeeper.KeeperException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

@Command(
        name = "zkcli",
        description = "ZooKeeper's own command line on the configured ensemble, with zookeeper.root as its root: so"
                + " `zkcli get /leader`. Without a command it prompts for them."
                + " Exits 0, or 1 if the command failed; 3 if ZooKeeper cannot be reached.")
final class ZkCliCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private LatchkeyCommand parent;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "Such as: ls /latch")
    private List<String> command = new ArrayList<>();

    @Override
    public Integer call() throws ConfException, CliException, InterruptedException, IOException, KeeperException {
        Settings settings = parent.settings();
        String root = settings.zookeeper().root();
        requireRoot(settings, root);
        PrintWriter err = spec.commandLine().getErr();
        ZkShell.Watches watches = new ZkShell.Watches(spec.commandLine().getOut());
        try (EnsembleConnection connection = EnsembleConnection.open(settings, root, watches)) {
            ZkShell shell = new ZkShell(connection, watches);
            if (!command.isEmpty()) {
                return shell.execute(command);
            }
            err.println("ZooKeeper's CLI on " + connection.connect() + "; try: ls /latch, get /leader, help, quit");
            return shell.prompt();
        }
    }

    private void requireRoot(Settings settings, String root)
            throws CliException, InterruptedException, KeeperException {
        try (EnsembleConnection connection = EnsembleConnection.open(settings, "", EnsembleConnection::ignore)) {
            if (connection.zookeeper().exists(root, false) == null) {
                throw new CliException(
                        ExitCode.NO,
                        "ZooKeeper at " + connection.connect() + " has no " + root
                                + ": no instance has joined there yet, or zookeeper.root is another");
            }
        }
    }
}
