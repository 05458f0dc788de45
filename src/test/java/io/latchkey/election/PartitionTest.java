package io.latchkey.election;

import static io.latchkey.election.Candidate.commit;
import static io.latchkey.election.Candidate.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.testing.TcpProxy;
import io.latchkey.testing.TestZooKeeper;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Elections while the network or the machine does not behave. */
@Tag("slow")
class PartitionTest {
    private static final Duration T = TestZooKeeper.SESSION_TIMEOUT;

    private TestZooKeeper zooKeeper;
    private TcpProxy network;
    private final List<Candidate> candidates = new ArrayList<>();

    @BeforeEach
    void begin() throws Exception {
        zooKeeper = TestZooKeeper.server();
        network = zooKeeper.viaProxy();
    }

    @AfterEach
    void end() throws Exception {
        network.heal();
        for (Candidate candidate : candidates) {
            candidate.close();
        }
        zooKeeper.close();
    }

    private Candidate candidate(String id, ZooKeeperClient client) {
        Candidate candidate = new Candidate(id, client);
        candidates.add(candidate);
        return candidate;
    }

    @Test
    void gateClosesOnTheThreadThatHearsOfTheLossWhileTheLeadershipThreadIsBusy() throws Exception {
        Candidate a = candidate("a", zooKeeper.client(network));
        CountDownLatch busy = new CountDownLatch(1);
        AtomicReference<String> closer = new AtomicReference<>();
        a.worker.onOpened = term -> {
            term.gate().onClose(() -> closer.set(Thread.currentThread().getName()));
            busy.await();
        };
        a.start();
        eventually().until(() -> a.worker.opened.size() == 1);
        Term term = a.worker.opened.get(0);
        assertThat(term.mayStart()).isTrue();
        network.cut();
        eventually().until(() -> term.gate().isClosedForGood());
        assertThat(closer.get()).doesNotContain("leadership").containsAnyOf("Curator", "EventThread", "lease");
        assertThat(a.worker.stopped).isEmpty();
        network.heal();
        busy.countDown();
        eventually().until(() -> a.worker.stopped.contains(StopReason.LOST));
    }

    @Test
    void aLeadRegainedInTheSameSessionIsAnotherTerm() throws Exception {
        Candidate a = candidate("a", zooKeeper.client(network)).startAndLead();
        Term old = a.leadership.term().orElseThrow();
        network.cut();
        eventually().until(() -> old.gate().isClosedForGood());
        network.heal();
        eventually().until(() -> a.leads() && a.leadership.term().orElseThrow() != old);
        Term next = a.leadership.term().orElseThrow();
        assertThat(next.number()).isGreaterThan(old.number());
        assertThat(next.gate()).isNotSameAs(old.gate());
        assertThat(old.gate().isOpen()).isFalse();
        assertThat(a.worker.stopped).contains(StopReason.LOST);
    }

    @Test
    void aFrozenNetworkEndsTheLeaseAndInterruptsJobsBeforeTheSessionCanExpire() throws Exception {
        Candidate a = candidate("a", zooKeeper.client(network)).startAndLead();
        a.worker.running = true;
        Candidate b = candidate("b", zooKeeper.client()).startAndStandBy();
        Term old = a.leadership.term().orElseThrow();
        long frozen = System.nanoTime();
        network.freeze();
        eventually().until(() -> !a.worker.interrupted.isEmpty());
        assertThat(Duration.ofNanos(System.nanoTime() - frozen)).isLessThan(T);
        assertThat(old.gate().isClosedForGood()).isTrue();
        assertThat(b.worker.led).isEmpty();

        Term next = b.awaitLeading();
        assertThat(next.number()).isGreaterThan(old.number());
        network.heal();
        eventually().until(() -> a.leadership.role() == Role.STANDBY);
        assertThat(b.leads()).isTrue();
    }

    @Test
    void aTermWriteWhoseReplyIsLostIsAdoptedByItsNonce() throws Exception {
        ZooKeeperClient operator = zooKeeper.client();
        ZooKeeperClient client = zooKeeper.client(network);
        Session session = client.session();
        String latchNode = client.znodes().latch() + "/own-latch-0000000000";
        commit(
                session,
                new Transaction()
                        .create(latchNode, new byte[0], CreateMode.EPHEMERAL)
                        .create(client.znodes().instance("a"), new byte[0], CreateMode.EPHEMERAL));
        LeaderRecord before = LeaderRecord.repaired(4, 10, java.time.Instant.now());
        commit(operator.session(), new Transaction().create(client.znodes().leader(), json(before)));
        // The clock is asked right before the write is sent, when all reads are done.
        AtomicBoolean dropping = new AtomicBoolean();
        Time time = new Time(Clock.systemUTC(), () -> {
            if (dropping.compareAndSet(false, true)) {
                network.dropReplies();
            }
            return System.nanoTime();
        });
        TermTaker taker = new TermTaker(client.znodes(), time);
        CompletableFuture<TermTaker.Result> result = CompletableFuture.supplyAsync(() -> {
            try {
                return taker.take(session, latchNode, Candidate.info("a"));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        eventually()
                .until(() -> operator.session()
                                .get(client.znodes().leader())
                                .get(30, TimeUnit.SECONDS)
                                .found()
                                .orElseThrow()
                                .version()
                        == 1);
        assertThat(result).isNotDone();
        network.heal();
        assertThat(result.get(60, TimeUnit.SECONDS)).isInstanceOfSatisfying(TermTaker.Result.Taken.class, taken -> {
            assertThat(taken.tenure().number()).isEqualTo(5);
            assertThat(taken.tenure().leaderVersion()).isEqualTo(1);
        });
        assertThat(network.swallowedBytes()).isPositive();
    }

    private static byte[] json(Object record) {
        return io.latchkey.zookeeper.Json.write(record);
    }

    @Test
    void ofTwoThatTakeTheTermOneIsToldToTryAgain() throws Exception {
        ZooKeeperClient client = zooKeeper.client();
        Session session = client.session();
        String latchNode = client.znodes().latch() + "/own-latch-0000000000";
        commit(
                session,
                new Transaction()
                        .create(latchNode, new byte[0], CreateMode.EPHEMERAL)
                        .create(client.znodes().instance("a"), new byte[0], CreateMode.EPHEMERAL)
                        .create(client.znodes().leader(), json(LeaderRecord.repaired(1, 1, java.time.Instant.now()))));
        Time meddling = new Time(Clock.systemUTC(), () -> {
            // Another's write between the read and ours. Sent first on the same session, so it is applied first.
            session.commit(new Transaction()
                            .set(
                                    client.znodes().leader(),
                                    json(LeaderRecord.repaired(2, 2, java.time.Instant.now())),
                                    Transaction.ANY_VERSION))
                    .join();
            return System.nanoTime();
        });
        assertThat(new TermTaker(client.znodes(), meddling).take(session, latchNode, Candidate.info("a")))
                .isInstanceOf(TermTaker.Result.Stalled.class);
    }

    @Test
    void withoutItsLatchOrInstanceNodeNoTermIsTaken() throws Exception {
        ZooKeeperClient client = zooKeeper.client();
        Session session = client.session();
        String latchNode = client.znodes().latch() + "/own-latch-0000000000";
        TermTaker taker = new TermTaker(client.znodes(), Time.system());
        assertThat(taker.take(session, latchNode, Candidate.info("a"))).isInstanceOf(TermTaker.Result.Lost.class);
        commit(session, new Transaction().create(latchNode, new byte[0], CreateMode.EPHEMERAL));
        assertThat(taker.take(session, latchNode, Candidate.info("a")))
                .isInstanceOfSatisfying(
                        TermTaker.Result.Lost.class,
                        lost -> assertThat(lost.why()).contains("instance node"));
        assertThat(taker.take(zooKeeper.client().session(), latchNode, Candidate.info("a")))
                .isInstanceOfSatisfying(
                        TermTaker.Result.Lost.class,
                        lost -> assertThat(lost.why()).contains("another session"));
        assertThat(Candidate.exists(client, client.znodes().leader())).isFalse();
    }

    @Test
    void aSuspendedMachineLosesItsTerm() throws Exception {
        SteppedTime suspension = new SteppedTime();
        Clock clock = new ShiftedClock(suspension);
        Candidate a = new Candidate("a", zooKeeper.client(), Candidate.QUICK, new Time(clock, System::nanoTime));
        candidates.add(a);
        a.startAndLead();
        Term old = a.leadership.term().orElseThrow();
        suspension.suspend(Duration.ofHours(1));
        assertThat(old.mayStart()).isFalse();
        eventually().until(() -> old.gate().isClosedForGood());
        assertThat(old.gate().reason()).contains("suspended");
        eventually().until(() -> a.leads() && a.leadership.term().orElseThrow().number() > old.number());
    }

    @Test
    void zooKeeperDownAndBackIsSurvivedByAllInstances() throws Exception {
        Candidate a = candidate("a", zooKeeper.client()).startAndLead();
        Candidate b = candidate("b", zooKeeper.client()).startAndStandBy();
        Term old = a.leadership.term().orElseThrow();
        zooKeeper.stop();
        eventually().until(() -> old.gate().isClosedForGood());
        long down = System.nanoTime();
        eventually().until(() -> System.nanoTime() - down > T.multipliedBy(2).toNanos());
        zooKeeper.restart();
        eventually().until(() -> a.leads() || b.leads());
        eventually().until(() -> a.leadership.role() == Role.STANDBY || b.leadership.role() == Role.STANDBY);
        assertThat(a.leads() && b.leads()).isFalse();
    }

    @Test
    void theLatchsParentOutlivesItsCandidates() throws Exception {
        ZooKeeperClient operator = zooKeeper.client();
        ZooKeeperClient client = zooKeeper.client();
        Candidate a = new Candidate("a", client).startAndLead();
        String first = a.leadership.term().orElseThrow().latchNode();
        a.close();
        client.close();
        eventually().until(() -> !Candidate.exists(operator, first));
        assertThat(Candidate.exists(operator, operator.znodes().latch())).isTrue();
        Candidate b = candidate("b", zooKeeper.client()).startAndLead();
        String second = b.leadership.term().orElseThrow().latchNode();
        assertThat(sequence(second)).isGreaterThan(sequence(first));
    }

    private static int sequence(String latchNode) {
        return Integer.parseInt(latchNode.substring(latchNode.length() - 10));
    }

    @Test
    void aLatchNodeOfOursThatNoLatchAnswersForIsSwept() throws Exception {
        ZooKeeperClient client = zooKeeper.client();
        String stray = client.znodes().latch() + "/_c_stray-latch-0000000000";
        commit(client.session(), new Transaction().create(client.znodes().latch() + "/filler", new byte[0]));
        commit(client.session(), new Transaction().create(stray, new byte[0], CreateMode.EPHEMERAL));
        Candidate.delete(client, client.znodes().latch() + "/filler");
        Candidate a = candidate("a", client).startAndStandBy();
        a.awaitLeading();
        assertThat(Candidate.exists(client, stray)).isFalse();
    }

    @Test
    void aLatchThatGetsNoNodeIsReplacedUntilItDoes() throws Exception {
        ZooKeeperClient operator = zooKeeper.client();
        String latch = operator.znodes().latch();
        operator.curator()
                .setACL()
                .withACL(org.apache.zookeeper.ZooDefs.Ids.READ_ACL_UNSAFE)
                .forPath(latch);
        try (io.latchkey.testing.LogCapture log = io.latchkey.testing.LogCapture.of(Leadership.class)) {
            Candidate a = candidate("a", zooKeeper.client()).startAndStandBy();
            eventually().until(() -> log.messages().stream().anyMatch(line -> line.contains("got no node")));
            assertThat(a.worker.led).isEmpty();
        }
    }

    @Test
    void losingTheServerInContactIsAnotherTermInAnEnsemble() throws Exception {
        try (TestZooKeeper ensemble = TestZooKeeper.cluster()) {
            Candidate a = new Candidate("a", ensemble.client());
            Candidate b = new Candidate("b", ensemble.client());
            a.startAndLead();
            b.startAndStandBy();
            Term old = a.leadership.term().orElseThrow();
            var cluster = ensemble.ensemble();
            cluster.killServer(cluster.findConnectionInstance(
                    a.client.curator().getZookeeperClient().getZooKeeper()));
            eventually().until(() -> old.gate().isClosedForGood());
            eventually().until(() -> a.leads() ^ b.leads());
            Term next = (a.leads() ? a : b).leadership.term().orElseThrow();
            assertThat(next.number()).isGreaterThan(old.number());
            assertThat(next.token()).isGreaterThan(old.token());
            a.close();
            b.close();
        }
    }

    /** The machine's clock, ahead by what was suspended. */
    private static final class ShiftedClock extends Clock {
        private final java.time.Instant origin;
        private final SteppedTime suspension;

        private ShiftedClock(SteppedTime suspension) {
            this.suspension = suspension;
            this.origin = suspension.clock().instant();
        }

        @Override
        public java.time.ZoneId getZone() {
            return java.time.ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
            return this;
        }

        @Override
        public java.time.Instant instant() {
            return java.time.Instant.now()
                    .plus(Duration.between(origin, suspension.clock().instant()));
        }
    }
}
