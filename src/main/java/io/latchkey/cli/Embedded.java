package io.latchkey.cli;

import io.latchkey.conf.ConnectString;
import io.latchkey.conf.Settings;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.zookeeper.EmbeddedZooKeeper;
import java.nio.file.Path;

/** What the commands do about {@code zookeeper.connect=embedded}. */
final class Embedded {
    private Embedded() {}

    /**
     * Refuses the embedded server where instances run as a service.
     *
     * @throws CliException with the remedy, exit code 2
     */
    static void refuse(Settings settings) throws CliException {
        if (settings.zookeeper().embedded()) {
            throw new CliException(
                    ExitCode.CONFIG,
                    "zookeeper.connect=embedded is for evaluation only: each host would have a ZooKeeper, and a leader, of"
                            + " its own. Set zookeeper.connect in "
                            + settings.paths().confDir().resolve("latchkey.properties")
                            + " (or LATCHKEY_ZOOKEEPER_CONNECT) to your ensemble, such as"
                            + " zk1:2181,zk2:2181,zk3:2181; to try Latchkey on this machine, use `latchkey run` or"
                            + " `latchkey demo`");
        }
    }

    /**
     * The settings with the address of the server that runs; unchanged if it is not an embedded one.
     *
     * @throws CliException with exit code 3 if it is, and none runs
     */
    static Settings locate(Settings settings) throws CliException {
        if (!settings.zookeeper().embedded()) {
            return settings;
        }
        Path dataDir = settings.paths().dataDir();
        String running = EmbeddedZooKeeper.running(dataDir)
                .orElseThrow(() -> new CliException(
                        ExitCode.UNREACHABLE,
                        "no embedded ZooKeeper server runs in " + dataDir
                                + ": start an instance with `latchkey run`, or"
                                + " set zookeeper.connect to your ensemble"));
        return settings.withZooKeeper(settings.zookeeper().at(ConnectString.parse(running)));
    }
}
