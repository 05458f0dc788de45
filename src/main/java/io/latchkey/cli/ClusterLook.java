package io.latchkey.cli;

import io.latchkey.conf.Settings;
import io.latchkey.ledger.LedgerException;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.view.ClusterReader;
import io.latchkey.view.ClusterView;
import io.latchkey.zookeeper.ZNodes;

/** A command's look at who leads and who stands by. */
final class ClusterLook {
    private ClusterLook() {}

    /** Connects, reads once, and closes. */
    static ClusterView once(Settings settings) throws CliException, InterruptedException {
        try (EnsembleConnection connection = EnsembleConnection.open(settings, "", EnsembleConnection::ignore)) {
            return on(connection, settings);
        }
    }

    /**
     * Reads the present state.
     *
     * @throws CliException with exit code 3 if ZooKeeper was lost meanwhile or keeps us out
     */
    static ClusterView on(EnsembleConnection connection, Settings settings) throws CliException {
        try {
            return new ClusterReader(
                            new ZNodes(settings.zookeeper().root()),
                            connection.session(),
                            connection.connect(),
                            settings.zookeeper().embedded())
                    .read();
        } catch (LedgerException e) {
            throw new CliException(
                    ExitCode.UNREACHABLE,
                    "reading from ZooKeeper at " + connection.connect() + " failed: " + e.getMessage(),
                    e);
        }
    }
}
