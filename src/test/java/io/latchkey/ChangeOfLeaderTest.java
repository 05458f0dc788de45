package io.latchkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.example.jobs.StampJob;
import com.example.jobs.StampJob.Stamp;
import io.latchkey.testing.TcpProxy;
import io.latchkey.testing.TestZooKeeper;
import io.latchkey.zookeeper.Session;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole instances on a real server: how long nobody leads, and what that costs in fires. */
@Tag("slow")
class ChangeOfLeaderTest {
    private static final String ALL = "MISFIRE_INSTRUCTION_IGNORE_MISFIRE_POLICY";
    private static final Duration SESSION = Duration.ofSeconds(4);

    @TempDir
    private Path dir;

    @Test
    void handoverTakesAFewRoundTripsAndLosesNothing() throws Exception {
        String log = "handover";
        Path conf = ServiceInstance.conf(
                dir, ServiceInstance.stampJob("tick", log, ServiceInstance.cron("tick", ALL, "* * * * * ?")));
        try (TestZooKeeper zookeeper = TestZooKeeper.server();
                TcpProxy network = zookeeper.viaProxy();
                ServiceInstance a = ServiceInstance.start(conf, "a", network.connectString());
                ServiceInstance b = ServiceInstance.start(conf, "b", network.connectString())) {
            await().atMost(Duration.ofSeconds(30)).until(() -> !StampJob.of(log).isEmpty());
            // Far longer than anything the machine does meanwhile: what is counted is round trips, not its speed.
            network.delay(Duration.ofMillis(50));
            ServiceInstance from = a.leads() ? a : b;
            ServiceInstance to = a.leads() ? b : a;
            long roundTrip = roundTripNanos(from.term().session());

            long asked = System.nanoTime();
            assertThat(from.resign()).isTrue();
            await().atMost(Duration.ofSeconds(60))
                    .pollInterval(Duration.ofMillis(5))
                    .until(to::leads);
            long took = System.nanoTime() - asked;

            int already = StampJob.of(log).size();
            await().atMost(Duration.ofSeconds(30)).until(() -> StampJob.of(log).size() >= already + 3);
            network.heal();
            assertThat((double) took / roundTrip).as("round trips").isLessThan(20);
            assertEachSlotOnce(StampJob.of(log));
            assertThat(StampJob.of(log).stream().map(Stamp::instance).distinct())
                    .containsExactlyInAnyOrder("a", "b");
        }
    }

    @Test
    void rollingRestartLosesNothing() throws Exception {
        String log = "rolling";
        Path conf = ServiceInstance.conf(
                dir, ServiceInstance.stampJob("tick", log, ServiceInstance.cron("tick", ALL, "* * * * * ?")));
        try (TestZooKeeper zookeeper = TestZooKeeper.server()) {
            ServiceInstance old = ServiceInstance.start(conf, "r0", zookeeper.connectString());
            try {
                for (int i = 1; i <= 3; i++) {
                    ServiceInstance next = ServiceInstance.start(conf, "r" + i, zookeeper.connectString());
                    int already = StampJob.of(log).size();
                    await().atMost(Duration.ofSeconds(30))
                            .until(() -> StampJob.of(log).size() >= already + 2);
                    old.close();
                    old = next;
                }
                ServiceInstance last = old;
                await().atMost(Duration.ofSeconds(30)).until(last::leads);
                int already = StampJob.of(log).size();
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> StampJob.of(log).size() >= already + 2);
            } finally {
                old.close();
            }
            assertEachSlotOnce(StampJob.of(log));
            assertThat(StampJob.of(log).stream().map(Stamp::token).toList()).isSorted();
        }
    }

    @Test
    void aLeaderThatFallsSilentIsReplacedWithinItsSessionAndATick() throws Exception {
        String log = "silent";
        Path conf = ServiceInstance.conf(
                dir, ServiceInstance.stampJob("tick", log, ServiceInstance.cron("tick", ALL, "* * * * * ?")));
        try (TestZooKeeper zookeeper = TestZooKeeper.server();
                TcpProxy network = zookeeper.viaProxy();
                ServiceInstance a = ServiceInstance.start(conf, "a", network.connectString())) {
            await().atMost(Duration.ofSeconds(30)).until(a::leads);
            try (ServiceInstance b = ServiceInstance.start(conf, "b", zookeeper.connectString())) {
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> StampJob.of(log).size() >= 2);

                long cut = System.nanoTime();
                network.freeze();
                await().atMost(Duration.ofSeconds(60))
                        .pollInterval(Duration.ofMillis(10))
                        .until(b::leads);
                Duration took = Duration.ofNanos(System.nanoTime() - cut);
                int already = StampJob.of(log).size();
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> StampJob.of(log).size() >= already + 3);
                long freed = System.nanoTime();
                network.heal();

                assertThat(took).isLessThan(SESSION.plus(TestZooKeeper.TICK).plus(Duration.ofSeconds(2)));
                List<Stamp> silent = StampJob.of(log).stream()
                        .filter(stamp -> stamp.instance().equals("a"))
                        .toList();
                // Half a session is the lease; what was claimed and confirmed just before the cut may start a little
                // later.
                assertThat(silent).allMatch(stamp -> stamp.startedNanos() < cut + SESSION.toNanos() / 2);
                assertThat(silent).noneMatch(stamp -> stamp.startedNanos() > freed);
            }
            assertAtMostOnce(StampJob.of(log));
        }
    }

    private static long roundTripNanos(Session session) throws Exception {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            long sent = System.nanoTime();
            session.exists("/").get();
            best = Math.min(best, System.nanoTime() - sent);
        }
        return best;
    }

    private static void assertAtMostOnce(List<Stamp> stamps) {
        assertThat(stamps.stream().map(stamp -> stamp.fireId() + "#" + stamp.attempt()))
                .doesNotHaveDuplicates();
    }

    /** A cron of every second: from the first slot to the last, each has run once, in time or late. */
    static void assertEachSlotOnce(List<Stamp> stamps) {
        assertAtMostOnce(stamps);
        List<Instant> ran = stamps.stream().map(Stamp::scheduled).sorted().toList();
        Instant first = ran.get(0);
        Instant last = ran.get(ran.size() - 1);
        List<Instant> due = Stream.iterate(first, slot -> !slot.isAfter(last), slot -> slot.plusSeconds(1))
                .toList();
        assertThat(ran).isEqualTo(due);
    }
}
