package io.latchkey.reload;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.latchkey.election.InstanceInfo;
import io.latchkey.election.InstanceRecord;
import io.latchkey.testing.LogCapture;
import io.latchkey.testing.TestZooKeeper;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.ZNodes;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a difference of the instances' configurations is said. */
class ConfDriftTest {
    private TestZooKeeper zookeeper;
    private ZooKeeperClient client;
    private ZNodes nodes;
    private LogCapture logs;

    @BeforeEach
    void start() throws Exception {
        zookeeper = TestZooKeeper.server();
        client = zookeeper.client();
        client.prepare();
        nodes = client.znodes();
        logs = LogCapture.of(ConfDrift.class);
    }

    @AfterEach
    void stop() throws Exception {
        logs.close();
        zookeeper.close();
    }

    private void publish(String id, String conf) throws Exception {
        InstanceInfo info = new InstanceInfo(id, "host", 1, "1.0", Instant.EPOCH, conf, null);
        byte[] data = Json.write(
                new InstanceRecord(InstanceRecord.FORMAT, info, "standby", 0, 0, Instant.EPOCH, "0x1", null));
        String path = nodes.instance(id);
        boolean there = client.session().exists(path).get() instanceof io.latchkey.zookeeper.ReadResult.Found<?>;
        Transaction write = there
                ? new Transaction().set(path, data, Transaction.ANY_VERSION)
                : new Transaction().create(path, data);
        assertThat(client.session().commit(write).get(10, TimeUnit.SECONDS).isCommitted())
                .isTrue();
    }

    @Test
    void itIsSaidOnceWhenItHasLastedAndOnceWhenItIsOver() throws Exception {
        ConfDrift drift = new ConfDrift(nodes, client::session);
        publish("a", "one");
        publish("b", "one");
        publish("c", "two");
        drift.look();
        assertThat(logs.messages()).as("it may be a rollout under way").isEmpty();
        assertThat(drift.differing()).isEqualTo(1);
        drift.look();
        drift.look();
        assertThat(logs.messages(Level.WARN))
                .singleElement()
                .asString()
                .contains("most have conf one, but c has two", "latchkey reload");
        publish("c", "one");
        drift.look();
        drift.look();
        assertThat(logs.messages(Level.INFO)).containsExactly("The instances' jobs are the same again");
        assertThat(drift.differing()).isZero();
    }

    @Test
    void aDifferenceThatChangesWhileHostsAreChangedIsNotSaid() throws Exception {
        ConfDrift drift = new ConfDrift(nodes, client::session);
        publish("a", "one");
        publish("b", "one");
        publish("c", "two");
        drift.look();
        publish("b", "two");
        drift.look();
        publish("a", "two");
        drift.look();
        drift.look();
        assertThat(logs.messages()).isEmpty();
    }
}
