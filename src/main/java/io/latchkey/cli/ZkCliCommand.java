package io.latchkey.cli;

import io.latchkey.conf.ConfException;
import io.latchkey.conf.Settings;
import io.latchkey.lifecycle.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.KeeperException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "zkcli",
        description = "ZooKeeper's own command line on the configured ensemble, with zookeeper.root as its root: so"
                + " `zkcli get /leader`. Without a command it prompts for them."
                + " Exits 0, or 1 if the command failed; 3 if ZooKeeper cannot be reached.")
final class ZkCliCommand extends SubCommand {
    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "Such as: ls /latch")
    private List<String> command = new ArrayList<>();

    @Override
    public Integer call() throws ConfException, CliException, InterruptedException, IOException, KeeperException {
        Settings settings = root().settings();
        String root = settings.zookeeper().root();
        requireRoot(settings, root);
        PrintWriter err = err();
        ZkShell.Watches watches = new ZkShell.Watches(out());
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
