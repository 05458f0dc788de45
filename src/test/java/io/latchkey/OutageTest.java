package io.latchkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.example.jobs.StampJob;
import com.example.jobs.StampJob.Stamp;
import io.latchkey.testing.LogCapture;
import io.latchkey.testing.TestZooKeeper;
import io.latchkey.zookeeper.Session;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole instances through the loss of what they stand on: ZooKeeper, its data, their session, their clock. */
@Tag("slow")
class OutageTest {
    private static final String ALL = "MISFIRE_INSTRUCTION_IGNORE_MISFIRE_POLICY";
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SESSION = Duration.ofSeconds(3);

    @TempDir
    private Path dir;

    @Test
    void zooKeeperDownForLongAndBackLosesNothing() throws Exception {
        String log = "outage";
        Path conf = everySecond(log);
        try (TestZooKeeper zookeeper = TestZooKeeper.server();
                ServiceInstance a = start(conf, "a", zookeeper.connectString());
                ServiceInstance b = start(conf, "b", zookeeper.connectString())) {
            awaitRuns(log, 2);
            ServiceInstance leader = a.leads() ? a : b;
            Session before = leader.term().session();

            zookeeper.stop();
            await().atMost(LONG).until(() -> !leader.leads());
            Instant down = Instant.now();
            // Beyond the end of any session, and of Curator's patience with it.
            await().atMost(LONG)
                    .until(() -> Instant.now().isAfter(down.plus(SESSION.multipliedBy(3))) && !before.alive());
            assertThat(StampJob.of(log)).noneMatch(stamp -> stamp.scheduled().isAfter(down.plusSeconds(1)));
            zookeeper.restart();

            awaitRuns(log, StampJob.of(log).size() + 12);
            await().atMost(LONG).until(() -> a.leads() != b.leads());
            ChangeOfLeaderTest.assertEachSlotOnce(StampJob.of(log));
        }
    }

    @Test
    void ensembleThatComesBackEmptyIsJoinedAnewAndTheLossSaidOnce() throws Exception {
        String log = "wiped";
        Path conf = everySecond(log);
        TestingServer old = new TestingServer(spec(-1), true);
        int port = old.getPort();
        try (LogCapture said = LogCapture.of("io.latchkey");
                ServiceInstance a = start(conf, "a", "127.0.0.1:" + port);
                ServiceInstance b = start(conf, "b", "127.0.0.1:" + port)) {
            awaitRuns(log, 3);
            ServiceInstance leader = a.leads() ? a : b;
            Stamp last = StampJob.of(log).get(StampJob.of(log).size() - 1);
            old.close();
            await().atMost(LONG).until(() -> !leader.leads());
            Instant wiped = Instant.now();

            try (TestingServer empty = new TestingServer(spec(port), true)) {
                await().atMost(LONG).until(() -> a.leads() || b.leads());
                awaitRuns(log, StampJob.of(log).size() + 3);
                ServiceInstance next = a.leads() ? a : b;
                assertThat(next.resign()).isTrue();
                awaitRuns(log, StampJob.of(log).size() + 2);

                assertThat(empty.getPort()).isEqualTo(port);
                List<Stamp> after = StampJob.of(log).stream()
                        .filter(stamp -> stamp.term() > last.term())
                        .toList();
                assertThat(after)
                        .as("terms and tokens go on rising")
                        .isNotEmpty()
                        .allMatch(stamp -> stamp.token() > last.token());
                assertThat(after)
                        .as("nothing is caught up")
                        .noneMatch(stamp -> stamp.scheduled().isBefore(wiped.minusSeconds(1)));
                assertThat(StampJob.of(log).stream().map(Stamp::fireId)).doesNotHaveDuplicates();
                assertThat(said.messages().stream().filter(line -> line.contains("came back without")))
                        .as("said once")
                        .hasSize(1);
            }
        } finally {
            old.close();
        }
    }

    @Test
    void suspendedMachineLosesItsTermAndDoublesNothing() throws Exception {
        String log = "suspended";
        Path conf = everySecond(log);
        ShiftedClock clock = new ShiftedClock(Duration.ZERO);
        try (TestZooKeeper zookeeper = TestZooKeeper.server();
                ServiceInstance a = ServiceInstance.start(conf, "a", zookeeper.connectString(), clock.time())) {
            awaitRuns(log, 2);
            var term = a.term();

            // Beyond half a session, which is what a lease lasts.
            clock.step(Duration.ofSeconds(5));

            await().atMost(LONG).until(() -> term.gate().isClosedForGood());
            assertThat(term.gate().reason()).contains("the lease ran out").contains("suspended");
            assertThat(term.mayStart()).isFalse();
            await().atMost(LONG).until(() -> a.leads() && a.term().number() > term.number());
            long next = a.term().number();
            await().atMost(LONG).until(() -> StampJob.of(log).stream().anyMatch(stamp -> stamp.term() == next));
            assertThat(StampJob.of(log).stream().map(Stamp::fireId)).doesNotHaveDuplicates();
        }
    }

    private Path everySecond(String log) throws Exception {
        return ServiceInstance.conf(
                dir, ServiceInstance.stampJob("tick", log, ServiceInstance.cron("tick", ALL, "* * * * * ?")));
    }

    private static ServiceInstance start(Path conf, String id, String connect) throws Exception {
        String timeout = SESSION.toSeconds() + "s";
        return ServiceInstance.start(
                conf, id, connect, "zookeeper.session-timeout=" + timeout, "zookeeper.connection-timeout=" + timeout);
    }

    private static void awaitRuns(String log, int runs) {
        await().atMost(LONG).until(() -> StampJob.of(log).size() >= runs);
    }

    private static InstanceSpec spec(int port) {
        int tick = (int) TestZooKeeper.TICK.toMillis();
        return new InstanceSpec(null, port, -1, -1, true, -1, tick, 200, Map.of("admin.enableServer", "false"));
    }
}
