package io.latchkey.cli;

import io.latchkey.conf.Settings;
import io.latchkey.conf.ZooKeeperSettings;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.zookeeper.PlainClient;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.SetupException;
import io.latchkey.zookeeper.UnknownHosts;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.admin.ZooKeeperAdmin;

/**
 * A command's own plain session with ZooKeeper. Unlike an instance's client it makes no nodes and does not wait for
 * servers to come: a person is waiting.
 */
final class EnsembleConnection implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final ZooKeeperAdmin zookeeper;
    private final ZooKeeperSettings target;
    private final String connect;

    private EnsembleConnection(ZooKeeperAdmin zookeeper, ZooKeeperSettings target, String connect) {
        this.zookeeper = zookeeper;
        this.target = target;
        this.connect = connect;
    }

    /**
     * Connects to the configured ensemble.
     *
     * @param suffix appended to the chroot: empty, or a path
     * @param also hears every event, on ZooKeeper's own thread
     * @throws CliException with exit code 3 if no server answers within ten seconds
     */
    static EnsembleConnection open(Settings settings, String suffix, Watcher also)
            throws CliException, InterruptedException {
        ZooKeeperSettings target = Embedded.locate(settings).zookeeper();
        String connect = target.connect() + suffix;
        CountDownLatch connected = new CountDownLatch(1);
        CountDownLatch refused = new CountDownLatch(1);
        Watcher watcher = event -> {
            if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.countDown();
            } else if (event.getState() == Watcher.Event.KeeperState.AuthFailed) {
                refused.countDown();
            }
            also.process(event);
        };
        ZooKeeperAdmin zookeeper = create(target, suffix, watcher);
        if (!connected.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            zookeeper.close(1);
            boolean auth = refused.getCount() == 0;
            throw new CliException(
                    ExitCode.UNREACHABLE,
                    auth
                            ? "ZooKeeper at " + connect + " refuses our authentication"
                            : "no ZooKeeper server answers at " + connect + " (tried for " + PATIENCE.toSeconds()
                                    + " s)" + UnknownHosts.described(target.connect())
                                    + ". Check zookeeper.connect, and that the servers run and have a quorum");
        }
        return new EnsembleConnection(zookeeper, target, connect);
    }

    private static ZooKeeperAdmin create(ZooKeeperSettings target, String suffix, Watcher watcher) throws CliException {
        try {
            return PlainClient.open(target, suffix, watcher);
        } catch (SetupException e) {
            throw new CliException(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        }
    }

    ZooKeeper zookeeper() {
        return zookeeper;
    }

    /** The session, as the ledger reads and writes on it. */
    Session session() throws CliException {
        try {
            return PlainClient.session(zookeeper, target);
        } catch (SetupException e) {
            throw new CliException(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        }
    }

    /** What was connected to. */
    String connect() {
        return connect;
    }

    @Override
    public void close() {
        try {
            zookeeper.close();
        } catch (InterruptedException e) {
            // The session ends by its timeout then.
            Thread.currentThread().interrupt();
        }
    }

    /** Hears events and does nothing with them. */
    static void ignore(WatchedEvent event) {}
}
