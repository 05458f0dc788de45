package io.latchkey.election;

import static io.latchkey.election.Candidate.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.latchkey.lifecycle.Closer;
import io.latchkey.testing.TestZooKeeper;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.apache.curator.test.TestingZooKeeperServer;
import org.apache.zookeeper.server.quorum.LearnerHandler;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A server that cannot reach the quorum goes on answering its clients' pings and reads, and a plain latch goes on leading
 * there. Here that is a follower to which the ensemble's leader does not listen: its thread for it is suspended.
 */
@Tag("slow")
class QuorumCutTest {
    /** Long: the client gives a server up that leaves a write unanswered after two thirds of it, the lease after half. */
    private static final Duration SESSION = Duration.ofSeconds(8);

    @Test
    void leaderOnAServerThatIsCutFromItsQuorumStopsThoughItIsConnected() throws Exception {
        assumeTrue(Runtime.version().feature() < 20, "this Java cannot suspend a thread");
        try (Closer closer = new Closer()) {
            TestingCluster ensemble = closer.push("ensemble", new TestingCluster(List.of(spec(), spec(), spec())));
            ensemble.start();
            eventually().until(() -> ensemble.getServers().stream().anyMatch(s -> isIn("leading", s)));
            TestingZooKeeperServer first = server(ensemble, "leading");
            eventually()
                    .until(() -> ensemble.getServers().stream()
                                    .filter(s -> isIn("following", s))
                                    .count()
                            == 2);
            TestingZooKeeperServer cut = server(ensemble, "following");

            Candidate a = candidate(closer, "a", cut);
            a.startAndLead();
            Candidate b = candidate(closer, "b", first);
            b.startAndStandBy();
            Term term = a.leadership.term().orElseThrow();
            CompletableFuture<Boolean> connectedWhenClosed = new CompletableFuture<>();
            term.gate()
                    .onClose(() -> connectedWhenClosed.complete(term.session().connected()));

            LearnerHandler ear = peer(first).leader.getLearners().stream()
                    .filter(handler -> field(LearnerHandler.class, "sid", handler)
                            .equals(peer(cut).getMyId()))
                    .findFirst()
                    .orElseThrow();
            on("suspend", ear);
            closer.push("ear", () -> on("resume", ear));

            assertThat(connectedWhenClosed.get(60, TimeUnit.SECONDS))
                    .as("still connected, and pings and reads are answered")
                    .isTrue();
            assertThat(term.gate().reason()).contains("lease ran out");
            assertThat(term.mayStart()).isFalse();
            Term next = b.awaitLeading();
            assertThat(next.token()).isGreaterThan(term.token());
        }
    }

    private static InstanceSpec spec() {
        // Twenty ticks until the ensemble's leader gives the silent follower up: long after the lease has run out.
        return new InstanceSpec(
                null,
                -1,
                -1,
                -1,
                true,
                -1,
                (int) TestZooKeeper.TICK.toMillis(),
                200,
                Map.of("admin.enableServer", "false", "syncLimit", "20"));
    }

    private static Candidate candidate(Closer closer, String id, TestingZooKeeperServer server) throws Exception {
        ZooKeeperClient client = closer.push(
                "client",
                ZooKeeperClient.start(TestZooKeeper.settings(
                        "127.0.0.1:" + server.getInstanceSpec().getPort(), SESSION)));
        assertThat(client.awaitConnected(Duration.ofSeconds(60))).isTrue();
        Candidate candidate = new Candidate(id, client);
        closer.push("candidate", candidate::close);
        return candidate;
    }

    private static TestingZooKeeperServer server(TestingCluster ensemble, String state) {
        return ensemble.getServers().stream()
                .filter(server -> isIn(state, server))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isIn(String state, TestingZooKeeperServer server) {
        QuorumPeer peer = peer(server);
        return peer != null && peer.getServerState().startsWith(state);
    }

    /** The server behind the fixture, which keeps it to itself. */
    private static QuorumPeer peer(TestingZooKeeperServer server) {
        Object adapter = field(TestingZooKeeperServer.class, "main", server);
        Object embedded = field(adapter.getClass(), "zooKeeperEmbedded", adapter);
        Object main = field(embedded.getClass(), "maincluster", embedded);
        return (QuorumPeer) field(QuorumPeerMain.class, "quorumPeer", main);
    }

    private static Object field(Class<?> type, String name, Object of) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(of);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name + " of " + type, e);
        }
    }

    /** By name: these methods are deprecated, and gone in a newer Java. */
    private static void on(String method, Thread thread) throws Exception {
        Thread.class.getMethod(method).invoke(thread);
    }
}
