package io.latchkey.ledger;

import io.latchkey.election.Term;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.util.List;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.quartz.JobKey;

/** The contract, on a real server. */
class ZooKeeperFireLedgerTest extends FireLedgerContract {
    private static LedgerFixture fixture;
    private static ZooKeeperClient client;
    private ZooKeeperFireLedger ledger;

    @BeforeAll
    static void start() throws Exception {
        fixture = new LedgerFixture();
        client = fixture.zookeeper.client();
    }

    @AfterAll
    static void stop() throws Exception {
        fixture.close();
    }

    @BeforeEach
    void fresh() {
        ledger = fixture.ledger(client);
    }

    @AfterEach
    void wipe() throws Exception {
        ledger.close();
        for (String path : List.of(
                fixture.nodes.triggers(),
                fixture.nodes.running(),
                fixture.nodes.jobs(),
                fixture.nodes.history(),
                fixture.nodes.requests(),
                fixture.nodes.paused())) {
            try {
                client.curator().delete().deletingChildrenIfNeeded().forPath(path);
            } catch (KeeperException.NoNodeException e) {
                // This test did not make it.
            }
        }
    }

    @Override
    FireLedger ledger() {
        return ledger;
    }

    @Override
    Term takeTerm() throws Exception {
        return fixture.takeTerm(client, "one");
    }

    @Override
    void deleteCursorByHand(String name) throws Exception {
        fixture.delete(client, fixture.cursor(name));
    }

    @Override
    void deleteRecordByHand(FireId id) throws Exception {
        fixture.delete(client, fixture.running(id));
    }

    @Override
    List<HistoryEntry> history(JobKey job) throws Exception {
        return new LedgerReader(fixture.nodes, client.session()).history(job);
    }
}
