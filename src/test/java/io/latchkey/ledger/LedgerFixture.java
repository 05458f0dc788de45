package io.latchkey.ledger;

import io.latchkey.election.Gate;
import io.latchkey.election.Lease;
import io.latchkey.election.Tenure;
import io.latchkey.election.Term;
import io.latchkey.lifecycle.Closer;
import io.latchkey.lifecycle.Faults;
import io.latchkey.lifecycle.Threads;
import io.latchkey.testing.TestZooKeeper;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult;
import io.latchkey.zookeeper.ZNodes;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.data.Stat;

/** A real ZooKeeper, instances in it, and terms that are taken by hand. */
final class LedgerFixture implements AutoCloseable {
    final TestZooKeeper zookeeper;
    final ZNodes nodes;
    final Threads threads = new Threads(new Faults());
    private final Closer opened = new Closer();
    private long terms;

    LedgerFixture() throws Exception {
        zookeeper = TestZooKeeper.server();
        opened.push("ZooKeeper", zookeeper);
        nodes = new ZNodes(zookeeper.settings().root());
    }

    ZooKeeperFireLedger ledger(ZooKeeperClient client) {
        return ledger(client, LedgerSettings.DEFAULT);
    }

    ZooKeeperFireLedger ledger(ZooKeeperClient client, LedgerSettings settings) {
        ScheduledExecutorService writer = threads.scheduled("ledger");
        ScheduledExecutorService history = threads.scheduled("history");
        ZooKeeperFireLedger ledger =
                new ZooKeeperFireLedger(nodes, client::session, settings, Clock.systemUTC(), writer, history);
        opened.push("ledger", () -> {
            ledger.close();
            writer.shutdownNow();
            history.shutdownNow();
        });
        return ledger;
    }

    /** Publishes an instance and takes a term with it, its gate open and its lease long. */
    Term takeTerm(ZooKeeperClient client, String instance) throws Exception {
        Lease lease = new Lease(Duration.ofHours(1), Clock.systemUTC(), System::nanoTime);
        lease.confirmedWrite(System.nanoTime());
        return takeTerm(client, instance, lease);
    }

    Term takeTerm(ZooKeeperClient client, String instance, Lease lease) throws Exception {
        CuratorFramework curator = client.curator();
        Session session = client.session();
        if (curator.checkExists().forPath(nodes.instance(instance)) == null) {
            curator.create()
                    .creatingParentsIfNeeded()
                    .withMode(CreateMode.EPHEMERAL)
                    .forPath(nodes.instance(instance));
        }
        String latch = nodes.latch() + "/" + UUID.randomUUID();
        curator.create()
                .creatingParentsIfNeeded()
                .withMode(CreateMode.EPHEMERAL)
                .forPath(latch, instance.getBytes(StandardCharsets.UTF_8));
        Stat there = curator.checkExists().forPath(nodes.leader());
        byte[] data = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);
        Transaction take = new Transaction().check(latch, Transaction.ANY_VERSION);
        if (there == null) {
            take.create(nodes.leader(), data).set(nodes.leader(), data, 0);
        } else {
            take.set(nodes.leader(), data, there.getVersion());
        }
        if (!(session.commit(take).get(30, TimeUnit.SECONDS) instanceof TxResult.Committed committed)) {
            throw new IllegalStateException("no term for " + instance);
        }
        int version = there == null ? 1 : there.getVersion() + 1;
        Tenure tenure = new Tenure(++terms, committed.zxid(), version, latch, instance, Instant.now());
        Term term = new Term(tenure, nodes, session, new Gate(), lease, why -> {});
        term.gate().open();
        return term;
    }

    void delete(ZooKeeperClient client, String path) throws Exception {
        client.curator().delete().forPath(path);
    }

    String running(FireId id) {
        return nodes.running(id.toString());
    }

    String cursor(String name) {
        return nodes.trigger("ops", name);
    }

    @Override
    public void close() {
        opened.close();
    }
}
