package io.latchkey.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.latchkey.testing.TcpProxy;
import io.latchkey.testing.TestZooKeeper;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Transactions and reads on one pinned session, against a real server. */
class SessionTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static TestZooKeeper zookeeper;
    private static Session direct;

    /** A node of each test's own. */
    private String base;

    @BeforeAll
    static void start() throws Exception {
        zookeeper = TestZooKeeper.server();
        direct = zookeeper.client().session();
    }

    @AfterAll
    static void stop() {
        zookeeper.close();
    }

    @BeforeEach
    void makeBase(TestInfo info) throws Exception {
        base = "/" + info.getTestMethod().orElseThrow().getName();
        assertThat(result(direct.commit(new Transaction().create(base, bytes("base")))))
                .isInstanceOf(TxResult.Committed.class);
    }

    @Test
    void committedTransactionTellsVersionsAndZxid() throws Exception {
        TxResult result = result(direct.commit(new Transaction()
                .check(base, 0)
                .create(base + "/new", bytes("a"))
                .set(base, bytes("b"), 0)
                .create(base + "/seq-", bytes("c"), CreateMode.PERSISTENT_SEQUENTIAL)));

        TxResult.Committed committed = (TxResult.Committed) result;
        assertThat(committed.ops()).extracting(OpOutcome::version).containsExactly(0, 0, 1, 0);
        assertThat(committed.ops().get(3).path()).isEqualTo(base + "/seq-0000000001");
        ReadResult.Found<byte[]> read = found(direct.get(base));
        assertThat(committed.zxid()).isEqualTo(read.stat().getMzxid());
        assertThat(read.version()).isEqualTo(1);
        assertThat(found(direct.get(base + "/new")).stat().getCzxid()).isEqualTo(committed.zxid());
    }

    @Test
    void refusalNamesTheCulpritAndNothingIsApplied() throws Exception {
        TxResult missing = result(direct.commit(new Transaction()
                .check(base, 0)
                .create(base + "/a", bytes(""))
                .check(base + "/nowhere", 0)
                .create(base + "/b", bytes(""))));
        TxResult missingParent =
                result(direct.commit(new Transaction().check(base, 0).create(base + "/nowhere/child", bytes(""))));
        TxResult stale = result(direct.commit(new Transaction().check(base, 7).create(base + "/a", bytes(""))));
        TxResult exists =
                result(direct.commit(new Transaction().set(base, bytes("x"), 0).create(base, bytes(""))));

        assertThat(missing).isEqualTo(new TxResult.Refused(2, TxResult.Reason.NO_NODE, List.of(0, 0, -101, -2)));
        assertThat(missingParent).isEqualTo(new TxResult.Refused(1, TxResult.Reason.NO_NODE, List.of(0, -101)));
        assertThat(stale).isEqualTo(new TxResult.Refused(0, TxResult.Reason.BAD_VERSION, List.of(-103, -2)));
        assertThat(exists).isEqualTo(new TxResult.Refused(1, TxResult.Reason.NODE_EXISTS, List.of(0, -110)));
        assertThat(found(direct.children(base)).value()).isEmpty();
        assertThat(text(found(direct.get(base)))).isEqualTo("base");
    }

    @Test
    void nonEmptyNodeIsNotDeleted() throws Exception {
        result(direct.commit(new Transaction().create(base + "/child", bytes(""))));

        assertThat(result(direct.commit(new Transaction().delete(base, 0))))
                .isEqualTo(new TxResult.Refused(0, TxResult.Reason.NOT_EMPTY, List.of(-111)));
    }

    @Test
    void oversizedTransactionIsRefusedAndTheConnectionLives() throws Exception {
        Transaction many = new Transaction();
        for (int i = 0; i <= Transaction.MAX_OPS; i++) {
            many.check(base, 0);
        }
        Transaction large = new Transaction().set(base, new byte[Transaction.MAX_BYTES], 0);

        assertThatThrownBy(() -> direct.commit(many))
                .isInstanceOf(TransactionTooLargeException.class)
                .hasMessageContaining("101 operations")
                .hasMessageContaining("limits are 100 operations and 65536 bytes");
        assertThatThrownBy(() -> direct.commit(large)).isInstanceOf(TransactionTooLargeException.class);
        assertThatThrownBy(() -> direct.commit(new Transaction())).isInstanceOf(IllegalArgumentException.class);
        assertThat(direct.connected()).isTrue();
        assertThat(text(found(direct.get(base)))).isEqualTo("base");
    }

    @Test
    void largestTransactionIsTaken() throws Exception {
        Transaction largest = new Transaction().set(base, new byte[Transaction.MAX_BYTES - 200], 0);
        assertThat(largest.hasRoomFor(new Transaction().check(base, 0))).isFalse();

        assertThat(result(direct.commit(largest)).isCommitted()).isTrue();
    }

    @Test
    void manyReadsComeBackInOrder() throws Exception {
        List<String> paths =
                IntStream.range(0, 1000).mapToObj(i -> base + "/" + i).toList();
        for (int from = 0; from < paths.size(); from += 50) {
            Transaction some = new Transaction();
            paths.subList(from, from + 50).forEach(path -> some.create(path, bytes(path)));
            assertThat(result(direct.commit(some)).isCommitted()).isTrue();
        }
        result(direct.commit(new Transaction().delete(paths.get(500), 0)));

        List<ReadResult<byte[]>> all = direct.getAll(paths).get(60, TimeUnit.SECONDS);

        assertThat(all).extracting(ReadResult::path).isEqualTo(paths);
        assertThat(all.get(500)).isInstanceOf(ReadResult.Missing.class);
        assertThat(all.stream().filter(ReadResult.Found.class::isInstance)).hasSize(999);
        assertThat(direct.getAll(List.of()).get(60, TimeUnit.SECONDS)).isEmpty();
        assertThat(direct.childrenOfAll(List.of(base, paths.get(500))).get(60, TimeUnit.SECONDS))
                .extracting(r -> r instanceof ReadResult.Found<List<String>> f
                        ? f.value().size()
                        : -1)
                .containsExactly(999, -1);
    }

    @Test
    void watchersHearOfCreationAndChange() throws Exception {
        AtomicInteger heard = new AtomicInteger();
        String path = base + "/later";

        assertThat(direct.exists(path, event -> heard.incrementAndGet()).get(60, TimeUnit.SECONDS))
                .isInstanceOf(ReadResult.Missing.class);
        result(direct.commit(new Transaction().create(path, bytes(""))));

        await().atMost(PATIENCE).until(() -> heard.get() == 1);
    }

    @Test
    @Tag("slow")
    void droppedReplyIsUnknownAndThenFoundOutToBeCommittedExactlyOnce() throws Exception {
        try (TcpProxy proxy = new TcpProxy(zookeeper.connectString());
                ZooKeeperClient client = zookeeper.client(TestZooKeeper.settings(proxy.connectString()))) {
            Session session = client.session();
            Transaction claim =
                    new Transaction().set(base, bytes("nonce-1"), 0).create(base + "/run", bytes("nonce-1"));
            Function<Session, CompletableFuture<ReadBack>> mine = nonce(base + "/run", "nonce-1");

            proxy.dropReplies();
            CompletableFuture<TxResult> first = session.commit(claim);
            await().atMost(PATIENCE).until(() -> found(direct.get(base)).version() == 1);
            assertThat(result(first)).isInstanceOf(TxResult.Unknown.class);
            CompletableFuture<TxResult> known = session.resolve(claim, mine, PATIENCE);
            assertThat(known).isNotDone();
            proxy.heal();

            TxResult.Committed committed = (TxResult.Committed) result(known);
            ReadResult.Found<byte[]> written = found(direct.get(base));
            assertThat(written.version()).as("applied once").isEqualTo(1);
            assertThat(committed.ops()).extracting(OpOutcome::version).containsExactly(1, 0);
            assertThat(committed.zxid()).isEqualTo(written.stat().getMzxid());
            assertThat(session.alive()).isTrue();
            assertThat(client.session()).isSameAs(session);
        }
    }

    @Test
    @Tag("slow")
    void requestThatNeverArrivedIsSentAgainOnTheSameSession() throws Exception {
        try (TcpProxy proxy = new TcpProxy(zookeeper.connectString());
                ZooKeeperClient client = zookeeper.client(TestZooKeeper.settings(proxy.connectString()))) {
            Session session = client.session();
            proxy.freeze(TcpProxy.Direction.TO_SERVER);
            CompletableFuture<TxResult> result = session.commitUntilKnown(
                    new Transaction().set(base, bytes("nonce"), 0), nonce(base, "nonce"), PATIENCE);
            proxy.cut();
            proxy.heal();

            assertThat(result(result).isCommitted()).isTrue();
            assertThat(found(direct.get(base)).version()).isEqualTo(1);
        }
    }

    @Test
    @Tag("slow")
    void refusalAfterAnUnknownFirstTryStaysARefusalIfAnotherWroteIt() throws Exception {
        try (TcpProxy proxy = new TcpProxy(zookeeper.connectString());
                ZooKeeperClient client = zookeeper.client(TestZooKeeper.settings(proxy.connectString()))) {
            Session session = client.session();
            proxy.freeze();
            Transaction claim = new Transaction().set(base, bytes("ours"), 0);
            CompletableFuture<TxResult> first = session.commit(claim);
            assertThat(result(direct.commit(new Transaction().set(base, bytes("theirs"), 0)))
                            .isCommitted())
                    .isTrue();
            proxy.cut();
            assertThat(result(first)).isInstanceOf(TxResult.Unknown.class);
            proxy.heal();

            assertThat(result(session.resolve(claim, nonce(base, "ours"), PATIENCE)))
                    .isEqualTo(new TxResult.Refused(0, TxResult.Reason.BAD_VERSION, List.of(-103)));
            assertThat(text(found(direct.get(base)))).isEqualTo("theirs");
        }
    }

    @Test
    void patienceEndsInUnknown() throws Exception {
        try (TcpProxy proxy = new TcpProxy(zookeeper.connectString());
                ZooKeeperClient client = zookeeper.client(TestZooKeeper.settings(proxy.connectString()))) {
            Session session = client.session();
            proxy.cut();
            TxResult result = result(session.commitUntilKnown(
                    new Transaction().set(base, bytes("late"), 0), nonce(base, "late"), Duration.ofMillis(500)));

            assertThat(result).isEqualTo(new TxResult.Unknown(TxResult.Cause.TIMEOUT));
        }
        assertThat(text(found(direct.get(base)))).isEqualTo("base");
    }

    @Test
    @Tag("slow")
    void expiredSessionIsGoneAndItsTransactionIsNeverSentOnTheNextOne() throws Exception {
        try (TcpProxy proxy = new TcpProxy(zookeeper.connectString());
                ZooKeeperClient client = zookeeper.client(TestZooKeeper.settings(proxy.connectString()))) {
            Session session = client.session();
            proxy.cut();
            Transaction claim = new Transaction().create(base + "/run", bytes("nonce"));
            CompletableFuture<TxResult> pending =
                    session.commitUntilKnown(claim, nonce(base + "/run", "nonce"), PATIENCE);
            zookeeper.expire(session);
            proxy.heal();

            assertThat(result(pending)).isInstanceOf(TxResult.SessionGone.class);
            assertThat(session.alive()).isFalse();
            assertThat(client.awaitConnected(PATIENCE)).isTrue();
            Session next = client.session();
            assertThat(next.id()).isNotEqualTo(session.id());
            assertThat(result(session.commit(claim))).isInstanceOf(TxResult.SessionGone.class);
            assertThat(session.get(base).get(60, TimeUnit.SECONDS))
                    .isEqualTo(new ReadResult.Failed<byte[]>(base, Code.SESSIONEXPIRED));
            // Whatever the old session still had under way would come before this write.
            assertThat(result(next.commit(new Transaction().set(base, bytes("x"), 0)))
                            .isCommitted())
                    .isTrue();
            assertThat(direct.exists(base + "/run").get(60, TimeUnit.SECONDS)).isInstanceOf(ReadResult.Missing.class);
        }
    }

    @Test
    void closedClientsSessionIsGone() throws Exception {
        ZooKeeperClient client = ZooKeeperClient.start(zookeeper.settings());
        assertThat(client.awaitConnected(PATIENCE)).isTrue();
        Session session = client.session();
        client.close();

        assertThat(result(session.commit(new Transaction().check(base, 0)))).isInstanceOf(TxResult.SessionGone.class);
        List<String> many = IntStream.range(0, 20_000).mapToObj(i -> base).toList();
        assertThat(session.getAll(many).get(60, TimeUnit.SECONDS)).hasSize(20_000);
        assertThat(session.sync(base).get(60, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void readBackThatFailsIsAskedAgainUntilItDecides() throws Exception {
        Transaction applied = new Transaction().set(base, bytes("nonce"), 0);
        assertThat(result(direct.commit(applied)).isCommitted()).isTrue();
        AtomicInteger asked = new AtomicInteger();

        TxResult result = result(direct.resolve(
                applied,
                session -> asked.incrementAndGet() < 3
                        ? CompletableFuture.completedFuture(new ReadBack.Undecided())
                        : nonce(base, "nonce").apply(session),
                PATIENCE));

        assertThat(result.isCommitted()).isTrue();
        assertThat(asked).hasValue(3);
        assertThat(found(direct.get(base)).version()).isEqualTo(1);
    }

    @Test
    void readBackThatThrowsIsTheCallersToHear() {
        Transaction refused = new Transaction().set(base, bytes("nonce"), 7);

        assertThat(direct.resolve(
                        refused,
                        Session.readBack(base, data -> {
                            throw new IllegalStateException("no such format");
                        }),
                        PATIENCE))
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withMessageContaining("no such format");
    }

    @Test
    void sequentialCreationCannotBeSentAgain() {
        Transaction request = new Transaction().create(base + "/r-", bytes(""), CreateMode.PERSISTENT_SEQUENTIAL);

        assertThatThrownBy(() -> direct.commitUntilKnown(request, nonce(base, ""), PATIENCE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static Function<Session, CompletableFuture<ReadBack>> nonce(String path, String nonce) {
        return Session.readBack(path, data -> Arrays.equals(data, bytes(nonce)));
    }

    private static TxResult result(CompletableFuture<TxResult> future) throws Exception {
        return future.get(90, TimeUnit.SECONDS);
    }

    private static <T> ReadResult.Found<T> found(CompletableFuture<ReadResult<T>> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS).found().orElseThrow();
    }

    private static String text(ReadResult.Found<byte[]> found) {
        return new String(found.value(), UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
