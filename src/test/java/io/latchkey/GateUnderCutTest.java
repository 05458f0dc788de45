package io.latchkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.example.jobs.StampJob;
import com.example.jobs.StampJob.Stamp;
import io.latchkey.election.Term;
import io.latchkey.testing.TcpProxy;
import io.latchkey.testing.TestZooKeeper;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The connection is cut at the worst moment, with a fire due every few milliseconds, 200 times over: no job starts once the
 * loss is heard of. Several leaders, each with a root and a network of its own, so that it takes a minute and not ten.
 */
@Tag("slow")
class GateUnderCutTest {
    private static final int LEADERS = 10;
    private static final int CUTS = 20;
    private static final int TRIGGERS = 10;

    /** What a thread that was let start may take to reach the job's first line on a loaded machine. */
    private static final Duration SCHEDULING = Duration.ofMillis(150);

    @TempDir
    private Path dir;

    private record Heard(long nanos, String thread) {}

    private record Cut(String instance, long cutNanos, long heardNanos, String heardOn, long healedNanos) {
        /** Whether the instance started a job once it had heard of the cut, and before it was healed. */
        boolean before(Stamp stamp) {
            return stamp.instance().equals(instance)
                    && stamp.startedNanos() > heardNanos + SCHEDULING.toNanos()
                    && stamp.startedNanos() < healedNanos;
        }

        boolean bit(Stamp stamp) {
            return stamp.instance().equals(instance)
                    && Math.abs(stamp.startedNanos() - cutNanos)
                            < Duration.ofMillis(50).toNanos();
        }
    }

    @Test
    void noJobStartsOnceTheLossIsHeardOf() throws Exception {
        StringBuilder jobs = new StringBuilder();
        for (int i = 0; i < TRIGGERS; i++) {
            jobs.append(ServiceInstance.stampJob(
                    "j" + i,
                    "cuts",
                    ServiceInstance.every(
                            "j" + i,
                            "MISFIRE_INSTRUCTION_RESCHEDULE_NEXT_WITH_EXISTING_COUNT",
                            Duration.ofMillis(83 + 7L * i))));
        }
        Path conf = ServiceInstance.conf(dir, jobs.toString());
        ExecutorService cutters = Executors.newFixedThreadPool(LEADERS);
        List<Cut> cuts = new ArrayList<>();
        try (TestZooKeeper zookeeper = TestZooKeeper.server()) {
            List<Future<List<Cut>>> running = new ArrayList<>();
            for (int i = 0; i < LEADERS; i++) {
                String id = "cut" + i;
                running.add(cutters.submit(() -> cutAndHeal(conf, id, zookeeper)));
            }
            for (Future<List<Cut>> one : running) {
                cuts.addAll(one.get());
            }
        } finally {
            cutters.shutdownNow();
        }

        List<Stamp> stamps = StampJob.of("cuts");
        assertThat(cuts).hasSize(LEADERS * CUTS).allSatisfy(cut -> {
            assertThat(cut.heardOn())
                    .as("the thread that hears of it closes the gate")
                    .containsAnyOf("ConnectionStateManager", "EventThread");
            assertThat(Duration.ofNanos(cut.heardNanos() - cut.cutNanos()))
                    .as("from the cut to the closed gate")
                    .isLessThan(Duration.ofSeconds(1));
            assertThat(stamps).as("started after %s", cut).noneMatch(cut::before);
        });
        assertThat(stamps.stream().map(stamp -> stamp.instance() + " " + stamp.fireId()))
                .doesNotHaveDuplicates();
        long bitten =
                cuts.stream().filter(cut -> stamps.stream().anyMatch(cut::bit)).count();
        assertThat(bitten).as("cuts with a start within 50 ms of them").isGreaterThan(cuts.size() / 2);
    }

    private static List<Cut> cutAndHeal(Path conf, String id, TestZooKeeper zookeeper) throws Exception {
        List<Cut> cuts = new ArrayList<>();
        try (TcpProxy network = zookeeper.viaProxy();
                ServiceInstance instance =
                        ServiceInstance.start(conf, id, network.connectString(), "zookeeper.root=/" + id)) {
            while (cuts.size() < CUTS) {
                await().atMost(Duration.ofSeconds(60)).until(() -> instance.leads() && startedIn(instance));
                CompletableFuture<Heard> heard = new CompletableFuture<>();
                Term term = instance.term();
                term.gate()
                        .onClose(() -> heard.complete(new Heard(
                                System.nanoTime(), Thread.currentThread().getName())));
                long cut = System.nanoTime();
                network.cut();
                Heard first = heard.get(30, TimeUnit.SECONDS);
                // With a fire due every few milliseconds this is dozens of chances to start one.
                await().during(SCHEDULING.multipliedBy(2))
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> !term.gate().isOpen());
                cuts.add(new Cut(id, cut, first.nanos(), first.thread(), System.nanoTime()));
                network.heal();
            }
        }
        return cuts;
    }

    private static boolean startedIn(ServiceInstance instance) {
        long term = instance.term().number();
        return StampJob.of("cuts").stream()
                .anyMatch(stamp -> stamp.instance().equals(instance.id()) && stamp.term() == term);
    }
}
