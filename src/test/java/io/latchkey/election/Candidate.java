package io.latchkey.election;

import io.latchkey.lifecycle.Faults;
import io.latchkey.lifecycle.Threads;
import io.latchkey.zookeeper.ReadResult;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult;
import io.latchkey.zookeeper.ZNodes;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** One instance in a test: a client, a fake worker and its leadership. */
final class Candidate {
    static final ElectionSettings QUICK =
            new ElectionSettings(Duration.ofMillis(300), Duration.ofSeconds(2), Duration.ofSeconds(20));

    final String id;
    final ZooKeeperClient client;
    final ZNodes nodes;
    final FakeWorker worker = new FakeWorker();
    final Leadership leadership;

    Candidate(String id, ZooKeeperClient client) {
        this(id, client, QUICK, Time.system());
    }

    Candidate(String id, ZooKeeperClient client, ElectionSettings settings, Time time) {
        this.id = id;
        this.client = client;
        this.nodes = client.znodes();
        this.leadership = new Leadership(
                client, nodes, () -> info(id), worker, new Threads(new Faults(code -> {})), settings, time);
    }

    private static final Instant STARTED = Instant.parse("2026-11-29T12:00:00Z");

    static InstanceInfo info(String id) {
        return new InstanceInfo(id, "host-of-" + id, 4711, "test", STARTED, "c0ffee", null);
    }

    Candidate start() {
        leadership.start();
        return this;
    }

    Candidate startAndLead() {
        start();
        awaitLeading();
        return this;
    }

    Candidate startAndStandBy() {
        start();
        eventually().until(() -> leadership.role() == Role.STANDBY);
        return this;
    }

    Term awaitLeading() {
        eventually().until(this::leads);
        return leadership.term().orElseThrow();
    }

    boolean leads() {
        return leadership.role() == Role.LEADING
                && leadership.term().filter(Term::mayStart).isPresent();
    }

    /** Bounded generously: the machine may be slow, never this slow. */
    static ConditionFactory eventually() {
        return Awaitility.await().atMost(60, TimeUnit.SECONDS).pollInterval(10, TimeUnit.MILLISECONDS);
    }

    static TxResult commit(Session session, Transaction tx) throws Exception {
        return session.commit(tx).get(30, TimeUnit.SECONDS);
    }

    static void delete(ZooKeeperClient by, String path) throws Exception {
        TxResult result = commit(by.session(), new Transaction().delete(path, Transaction.ANY_VERSION));
        if (!result.isCommitted()) {
            throw new IllegalStateException("Could not delete " + path + ": " + result);
        }
    }

    static boolean exists(ZooKeeperClient by, String path) throws Exception {
        return by.session().exists(path).get(30, TimeUnit.SECONDS) instanceof ReadResult.Found<?>;
    }

    void close() throws InterruptedException {
        leadership.close(Duration.ZERO);
    }
}
