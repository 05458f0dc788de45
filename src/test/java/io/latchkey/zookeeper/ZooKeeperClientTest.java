package io.latchkey.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.latchkey.conf.ZooKeeperSettings;
import io.latchkey.testing.LogCapture;
import io.latchkey.testing.TcpProxy;
import io.latchkey.testing.TestZooKeeper;
import io.latchkey.zookeeper.ConnectionEvents.Connection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZooKeeperClientTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static TestZooKeeper zookeeper;

    @TempDir
    private Path dir;

    @BeforeAll
    static void start() throws Exception {
        zookeeper = TestZooKeeper.server();
    }

    @AfterAll
    static void stop() {
        zookeeper.close();
    }

    @Test
    void missingChrootAndRootAreCreatedToStay() throws Exception {
        try (ZooKeeperClient client =
                        zookeeper.client(TestZooKeeper.settings(zookeeper.connectString() + "/made/here"));
                ZooKeeperClient plain = zookeeper.client()) {
            assertThat(client.session()
                            .children("/latchkey")
                            .get(60, TimeUnit.SECONDS)
                            .found()
                            .orElseThrow()
                            .value())
                    .containsExactlyInAnyOrder(
                            "latch", "instances", "triggers", "jobs", "running", "history", "requests");
            Stat latch = plain.curator().checkExists().forPath("/made/here/latchkey/latch");
            assertThat(latch.getEphemeralOwner())
                    .as("neither ephemeral nor a container")
                    .isZero();
            client.curator().delete().deletingChildrenIfNeeded().forPath("/latchkey");
            client.prepare();
            assertThat(client.curator().checkExists().forPath("/latchkey/requests"))
                    .isNotNull();
        }
    }

    @Test
    void forbiddenChrootIsNamedWithTheRemedy() throws Exception {
        try (ZooKeeperClient owner = zookeeper.client()) {
            owner.curator().create().withACL(Ids.READ_ACL_UNSAFE).forPath("/guarded");
        }
        try (ZooKeeperClient client =
                ZooKeeperClient.start(TestZooKeeper.settings(zookeeper.connectString() + "/guarded/app"))) {
            assertThatThrownBy(() -> client.awaitConnected(PATIENCE))
                    .isInstanceOf(SetupException.class)
                    .hasMessageContaining("does not permit this service to create the chroot /guarded/app")
                    .hasMessageContaining("zookeeper.connect " + zookeeper.connectString() + "/guarded/app")
                    .hasMessageContaining("Set zookeeper.auth-file");
        }
    }

    @Test
    void withCredentialsOnlyTheirHolderMayReadAndTheyAreNeverLogged() throws Exception {
        Path secret = Files.writeString(dir.resolve("auth"), "# who we are\ndigest:latchkey:tops3cret\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
        String connect = zookeeper.connectString() + "/owned";
        try (LogCapture logs = LogCapture.ofAll();
                ZooKeeperClient client = zookeeper.client(withFiles(connect, Optional.of(secret), Optional.empty()))) {
            client.session()
                    .commit(new Transaction().create("/latchkey/leader", "x".getBytes(UTF_8)))
                    .get(60, TimeUnit.SECONDS);
            client.curator().create().withMode(CreateMode.EPHEMERAL).forPath("/latchkey/latch/one");
            for (String path : List.of("/latchkey", "/latchkey/leader", "/latchkey/latch/one")) {
                assertThat(client.curator().getACL().forPath(path))
                        .extracting(acl -> acl.getId().getScheme())
                        .containsExactly("digest");
            }
            assertThat(logs.messages()).noneMatch(message -> message.contains("tops3cret"));
            assertThat(logs.messages(Level.WARN)).anyMatch(message -> message.contains("chmod 600"));
            try (ZooKeeperClient stranger = ZooKeeperClient.start(TestZooKeeper.settings(connect))) {
                assertThatThrownBy(() -> stranger.awaitConnected(PATIENCE))
                        .isInstanceOf(SetupException.class)
                        .hasMessageContaining("Set zookeeper.auth-file");
            }
        }
    }

    @Test
    void badCredentialsFileIsRefusedWithoutRepeatingIt() throws Exception {
        Path secret = Files.writeString(dir.resolve("auth"), "justapassword\n");

        assertThatThrownBy(() -> ZooKeeperClient.start(
                        withFiles(zookeeper.connectString(), Optional.of(secret), Optional.empty())))
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("zookeeper.auth-file " + secret)
                .hasMessageContaining("digest:user:password")
                .hasMessageNotContaining("justapassword");
        assertThatThrownBy(() -> ZooKeeperClient.start(
                        withFiles(zookeeper.connectString(), Optional.of(dir.resolve("missing")), Optional.empty())))
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void clientConfigReachesTheClient() throws Exception {
        Path file = Files.writeString(dir.resolve("client.properties"), "zookeeper.request.timeout=12345\n");

        try (ZooKeeperClient client =
                zookeeper.client(withFiles(zookeeper.connectString(), Optional.empty(), Optional.of(file)))) {
            assertThat(client.curator()
                            .getZookeeperClient()
                            .getZooKeeper()
                            .getClientConfig()
                            .getProperty("zookeeper.request.timeout"))
                    .isEqualTo("12345");
        }
        assertThatThrownBy(() -> ZooKeeperClient.start(
                        withFiles(zookeeper.connectString(), Optional.empty(), Optional.of(dir.resolve("missing")))))
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("zookeeper.client-config");
    }

    @Test
    @Tag("slow")
    void unknownHostIsNamedOnceWhileItRetries() throws Exception {
        try (LogCapture logs = LogCapture.of(ZooKeeperClient.class);
                ZooKeeperClient client = ZooKeeperClient.start(TestZooKeeper.settings("no-such-host.invalid:2181"))) {
            assertThat(client.awaitConnected(Duration.ofSeconds(5))).isFalse();

            assertThat(logs.messages(Level.WARN))
                    .filteredOn(message -> message.contains("does not know"))
                    .singleElement()
                    .asString()
                    .contains("no-such-host.invalid");
            assertThatThrownBy(client::session).isInstanceOf(NotConnectedException.class);
            assertThat(client.negotiatedTimeout()).isEmpty();
        }
    }

    @Test
    void timeoutOtherThanAskedIsSaid() throws Exception {
        try (LogCapture logs = LogCapture.of(ZooKeeperClient.class);
                ZooKeeperClient client =
                        zookeeper.client(TestZooKeeper.settings(zookeeper.connectString(), Duration.ofSeconds(60)))) {
            assertThat(client.negotiatedTimeout()).contains(TestZooKeeper.TICK.multipliedBy(20));
            await().atMost(PATIENCE)
                    .until(() -> logs.messages(Level.WARN).stream()
                            .anyMatch(message -> message.contains("10s instead of 1m")));
        }
    }

    @Test
    @Tag("slow")
    void serverThatComesLaterIsFoundAndListenersHearOfEachChange() throws Exception {
        try (TcpProxy proxy = new TcpProxy(zookeeper.connectString())) {
            proxy.cut();
            List<Connection> heard = new CopyOnWriteArrayList<>();
            try (ZooKeeperClient client = ZooKeeperClient.start(TestZooKeeper.settings(proxy.connectString()))) {
                client.addListener(heard::add);
                assertThat(client.awaitConnected(Duration.ofMillis(300))).isFalse();
                proxy.heal();
                assertThat(client.awaitConnected(PATIENCE)).isTrue();
                Session session = client.session();
                await().atMost(PATIENCE).until(() -> heard.equals(List.of(Connection.CONNECTED)));

                proxy.cut();
                await().atMost(PATIENCE).until(() -> heard.contains(Connection.SUSPENDED));
                proxy.heal();
                await().atMost(PATIENCE).until(() -> heard.contains(Connection.RECONNECTED));
                assertThat(client.session()).isSameAs(session);

                zookeeper.expire(session);
                await().atMost(PATIENCE).until(() -> heard.contains(Connection.LOST));
                await().atMost(PATIENCE).until(() -> heard.get(heard.size() - 1) == Connection.RECONNECTED);
                assertThat(client.awaitConnected(PATIENCE)).isTrue();
                assertThat(client.session().id()).isNotEqualTo(session.id());
            }
        }
    }

    @Test
    void curatorsOperationsAreTriedAgainWithoutEnd() {
        RetryWithoutEnd policy = new RetryWithoutEnd();

        assertThat(policy.allowRetry(1_000_000, Long.MAX_VALUE, (time, unit) -> {}))
                .isTrue();
        for (int retry = 0; retry < 100; retry++) {
            assertThat(RetryWithoutEnd.pauseMillis(retry)).isBetween(50L, 5000L);
        }
    }

    private static ZooKeeperSettings withFiles(String connect, Optional<Path> auth, Optional<Path> clientConfig) {
        ZooKeeperSettings usual = TestZooKeeper.settings(connect);
        return new ZooKeeperSettings(
                usual.connect(),
                false,
                usual.root(),
                usual.sessionTimeout(),
                usual.connectionTimeout(),
                false,
                auth,
                clientConfig);
    }
}
