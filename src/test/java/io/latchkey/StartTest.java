package io.latchkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import com.example.jobs.StampJob;
import io.latchkey.cli.CliException;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.testing.LogCapture;
import io.latchkey.testing.TcpProxy;
import io.latchkey.testing.TestZooKeeper;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an instance does that cannot join: which of it is worth waiting for, and which exit code the rest has. */
@Tag("slow")
class StartTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String LOG = "start";

    @TempDir
    private Path dir;

    private Path conf;

    @BeforeEach
    void writeConf() throws Exception {
        conf = ServiceInstance.conf(
                dir,
                ServiceInstance.stampJob(
                        "tick",
                        LOG,
                        ServiceInstance.every("tick", "MISFIRE_INSTRUCTION_FIRE_NOW", Duration.ofMillis(200))));
    }

    @Test
    void zooKeeperThatIsDownIsWaitedForUnlessToldOtherwise() throws Exception {
        int port = freePort();
        String connect = "127.0.0.1:" + port;
        try (LogCapture log = LogCapture.of(Application.class)) {
            CompletableFuture<CliException> impatient = CompletableFuture.supplyAsync(() -> catchThrowableOfType(
                    CliException.class, () -> ServiceInstance.startFailingFast(conf, "impatient", connect)));
            CompletableFuture<ServiceInstance> patient =
                    CompletableFuture.supplyAsync(() -> start(conf, "patient", connect));

            assertThat(impatient.get(60, TimeUnit.SECONDS).exitCode()).isEqualTo(ExitCode.UNREACHABLE);
            assertThat(impatient.get()).hasMessageContaining(connect).hasMessageContaining("--fail-fast");
            await().atMost(LONG)
                    .until(() -> log.messages(Level.WARN).stream()
                            .anyMatch(line ->
                                    line.contains(connect + " cannot be reached") && line.contains("waits for it")));
            assertThat(patient).isNotDone();

            try (TestingServer server = new TestingServer(spec(port), true);
                    ServiceInstance instance = patient.get(60, TimeUnit.SECONDS)) {
                await().atMost(LONG)
                        .until(() -> StampJob.of(LOG).stream()
                                .anyMatch(stamp -> stamp.instance().equals("patient")));
                assertThat(instance.leads()).isTrue();
                assertThat(server.getPort()).isEqualTo(port);
            }
        }
    }

    @Test
    void secondOfTheSameIdEndsWithItsOwnCodeAndNamesTheFirst() throws Exception {
        try (TestZooKeeper zookeeper = TestZooKeeper.server();
                ServiceInstance first = ServiceInstance.start(conf, "same", zookeeper.connectString())) {
            await().atMost(LONG).until(first::leads);
            long begun = System.nanoTime();

            CliException refused = catchThrowableOfType(
                    CliException.class, () -> ServiceInstance.start(conf, "same", zookeeper.connectString()));

            assertThat(refused.exitCode()).isEqualTo(ExitCode.ID_IN_USE);
            assertThat(refused)
                    .hasMessageContaining("same")
                    .hasMessageContaining(InetAddress.getLocalHost().getHostName())
                    .hasMessageContaining("pid " + ProcessHandle.current().pid());
            // It may have been a restart: an earlier session of its own goes within its timeout and a tick.
            assertThat(Duration.ofNanos(System.nanoTime() - begun))
                    .isGreaterThan(TestZooKeeper.SESSION_TIMEOUT.plus(TestZooKeeper.TICK));
            assertThat(first.leads()).isTrue();
        }
    }

    @Test
    void instanceThatFindsItsIdTakenOnItsReturnEndsToo() throws Exception {
        try (TestZooKeeper zookeeper = TestZooKeeper.server();
                TcpProxy network = zookeeper.viaProxy();
                ServiceInstance away = ServiceInstance.start(conf, "taken", network.connectString())) {
            await().atMost(LONG).until(away::leads);
            network.cut();
            // Its session ends while it is away, and another machine is given its id.
            try (ServiceInstance other = ServiceInstance.start(conf, "taken", zookeeper.connectString())) {
                await().atMost(LONG).until(other::leads);
                network.heal();

                CliException ended = catchThrowableOfType(CliException.class, away::awaitTermination);

                assertThat(ended.exitCode()).isEqualTo(ExitCode.ID_IN_USE);
                assertThat(ended).hasMessageContaining("in use by a live instance");
                assertThat(other.leads()).isTrue();
            }
        }
    }

    @Test
    void rootThatIsForbiddenIsAConfigurationNoRestartMends() throws Exception {
        try (TestZooKeeper zookeeper = TestZooKeeper.server();
                ZooKeeperClient client = zookeeper.client()) {
            ZooKeeper operator = client.curator().getZookeeperClient().getZooKeeper();
            operator.addAuthInfo("digest", "root:secret".getBytes(StandardCharsets.UTF_8));
            operator.create("/closed", new byte[0], ZooDefs.Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);

            CliException refused = catchThrowableOfType(
                    CliException.class,
                    () -> ServiceInstance.start(
                            conf, "shut-out", zookeeper.connectString(), "zookeeper.root=/closed/latchkey"));

            assertThat(refused.exitCode()).isEqualTo(ExitCode.CONFIG);
            assertThat(refused)
                    .hasMessageContaining("does not permit")
                    .hasMessageContaining("/closed/latchkey")
                    .hasMessageContaining("zookeeper.auth-file");
        }
    }

    private static ServiceInstance start(Path conf, String id, String connect) {
        try {
            return ServiceInstance.start(conf, id, connect);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static int freePort() throws Exception {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static InstanceSpec spec(int port) {
        int tick = (int) TestZooKeeper.TICK.toMillis();
        return new InstanceSpec(null, port, -1, -1, true, -1, tick, 200, Map.of("admin.enableServer", "false"));
    }
}
