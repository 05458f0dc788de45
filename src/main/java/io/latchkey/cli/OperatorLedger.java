package io.latchkey.cli;

import io.latchkey.conf.Settings;
import io.latchkey.ledger.LedgerReader;
import io.latchkey.ledger.Requests;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.view.ClusterView;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.ZNodes;
import java.time.Clock;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import org.apache.zookeeper.KeeperException;

/** The ledger as an operator's command reaches it: one plain session, up to date when it was opened. */
final class OperatorLedger implements AutoCloseable {
    private final Settings settings;
    private final EnsembleConnection connection;
    private final ZNodes nodes;
    private final Session session;
    private final Clock clock = Clock.systemUTC();
    private final Set<String> damaged = new TreeSet<>();

    private OperatorLedger(Settings settings, EnsembleConnection connection) throws CliException {
        this.settings = settings;
        this.connection = connection;
        this.nodes = new ZNodes(settings.zookeeper().root());
        this.session = connection.session();
    }

    /**
     * Connects.
     *
     * @throws CliException with exit code 3 if ZooKeeper cannot be reached
     */
    static OperatorLedger open(Settings settings) throws CliException, InterruptedException {
        EnsembleConnection connection = EnsembleConnection.open(settings, "", EnsembleConnection::ignore);
        boolean opened = false;
        try {
            // Otherwise a server that lags could show a state of the past.
            AsyncResult.await(callback -> connection.zookeeper().sync("/", callback, null));
            OperatorLedger ledger = new OperatorLedger(settings, connection);
            opened = true;
            return ledger;
        } catch (KeeperException e) {
            throw new CliException(
                    ExitCode.UNREACHABLE,
                    "ZooKeeper at " + connection.connect() + " does not answer: " + e.getMessage(),
                    e);
        } finally {
            if (!opened) {
                connection.close();
            }
        }
    }

    Settings settings() {
        return settings;
    }

    /** What was connected to. */
    String connect() {
        return connection.connect();
    }

    ZNodes nodes() {
        return nodes;
    }

    Session session() {
        return session;
    }

    Clock clock() {
        return clock;
    }

    Instant now() {
        return clock.instant();
    }

    LedgerReader reader() {
        return new LedgerReader(nodes, session, damaged::add);
    }

    /** What is damaged and was left out, of all that was read. */
    Set<String> damaged() {
        return Set.copyOf(damaged);
    }

    Requests requests() {
        return new Requests(nodes, () -> session, clock);
    }

    /** Who leads and who stands by, now. */
    ClusterView cluster() throws CliException {
        return ClusterLook.on(connection, settings);
    }

    /**
     * Makes sure that this is the ledger of some instance, and not a place that was mistyped.
     *
     * @throws CliException with exit code 1 if it is not
     */
    void requireRoot() throws CliException, InterruptedException {
        new Roots(connection).require(nodes);
    }

    @Override
    public void close() {
        connection.close();
    }
}
