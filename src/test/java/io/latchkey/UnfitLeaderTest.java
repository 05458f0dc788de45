package io.latchkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import com.example.jobs.StampJob;
import io.latchkey.election.Role;
import io.latchkey.testing.AuthorJar;
import io.latchkey.testing.LogCapture;
import io.latchkey.testing.TestZooKeeper;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A leader that cannot run jobs does not stay one: another instance gets the lead, and the log says why. */
@Tag("slow")
class UnfitLeaderTest {
    private static final Duration LONG = Duration.ofSeconds(90);

    /** A plugin that cannot begin its work on this host. */
    private static final String UNREADY = """
            import org.quartz.*;
            public class Unready implements org.quartz.spi.SchedulerPlugin {
                public void initialize(String name, Scheduler scheduler, org.quartz.spi.ClassLoadHelper helper)
                        throws SchedulerException {
                    throw new SchedulerException("there is nothing to talk to");
                }
                public void start() {}
                public void shutdown() {}
            }
            """;

    @TempDir
    private Path dir;

    @Test
    void instanceWhoseTakeoverFailsStandsBackForAnother() throws Exception {
        String log = "takeover";
        Path sound = conf("sound", log);
        Path broken = conf("broken", log);
        AuthorJar.write(dir.resolve("jobs/Unready.jar"), UNREADY);
        Files.writeString(broken.resolve("quartz.properties"), "org.quartz.plugin.mine.class=Unready\n");
        try (LogCapture said = LogCapture.of("io.latchkey.election");
                TestZooKeeper zookeeper = TestZooKeeper.server();
                ServiceInstance unfit = ServiceInstance.start(broken, "unfit", zookeeper.connectString())) {
            await().atMost(LONG).until(() -> unfit.role() == Role.BACKING_OFF);
            assertThat(unfit.health().problems())
                    .isNotEmpty()
                    .anyMatch(problem -> problem.contains("nothing to talk to"));
            assertThat(said.messages(Level.ERROR))
                    .anyMatch(line -> line.contains("Leading failed") && line.contains("nothing to talk to"));
            assertThat(said.messages(Level.INFO)).anyMatch(line -> line.contains("gave the latch up for"));

            try (ServiceInstance fit = ServiceInstance.start(sound, "fit", zookeeper.connectString())) {
                await().atMost(LONG)
                        .until(() -> fit.leads() && !StampJob.of(log).isEmpty());
                assertThat(StampJob.of(log)).allMatch(stamp -> stamp.instance().equals("fit"));
                assertThat(fit.health().problems()).isEmpty();
            }
        }
    }

    @Test
    void schedulerThreadThatFallsSilentOrDiesCostsTheLead() throws Exception {
        assumeTrue(Runtime.version().feature() < 20, "this Java cannot suspend or stop a thread");
        String log = "sick";
        Path conf = conf("conf", log);
        Thread suspended = null;
        try (LogCapture said = LogCapture.of("io.latchkey.election");
                TestZooKeeper zookeeper = TestZooKeeper.server();
                ServiceInstance a = ServiceInstance.start(conf, "a", zookeeper.connectString());
                ServiceInstance b = ServiceInstance.start(conf, "b", zookeeper.connectString())) {
            try {
                await().atMost(LONG).until(() -> a.leads() || b.leads());
                ServiceInstance first = a.leads() ? a : b;
                ServiceInstance second = a.leads() ? b : a;
                long silenced = first.term().number();

                suspended = quartzThread(silenced);
                suspendAsleep(suspended);

                await().atMost(LONG).until(second::leads);
                assertThat(said.messages(Level.ERROR))
                        .anyMatch(line -> line.contains("silent for") && line.contains("Giving the lead up"));
                awaitRunIn(log, second.term().number());

                on("stop", quartzThread(second.term().number()));
                long killed = second.term().number();

                await().atMost(LONG)
                        .until(() -> said.messages(Level.ERROR).stream()
                                .anyMatch(line -> line.contains("has died") && line.contains("Giving the lead up")));
                await().atMost(LONG).until(() -> StampJob.of(log).stream().anyMatch(stamp -> stamp.term() > killed));
            } finally {
                if (suspended != null) {
                    on("resume", suspended);
                }
            }
        }
        assertThat(StampJob.of(log).stream().map(stamp -> stamp.fireId() + "#" + stamp.attempt()))
                .doesNotHaveDuplicates();
    }

    private Path conf(String name, String log) throws Exception {
        return ServiceInstance.conf(
                dir.resolve(name),
                ServiceInstance.stampJob(
                        "tick",
                        log,
                        ServiceInstance.every("tick", "MISFIRE_INSTRUCTION_FIRE_NOW", Duration.ofMillis(500))));
    }

    private static void awaitRunIn(String log, long term) {
        await().atMost(LONG).until(() -> StampJob.of(log).stream().anyMatch(stamp -> stamp.term() == term));
    }

    private static Thread quartzThread(long term) {
        return await().atMost(LONG)
                .until(
                        () -> Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> thread.getName().equals("quartz-t" + term))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /** Stops it where it waits for the next fire, and so holds no lock: what is shown is silence, not a deadlock. */
    private static void suspendAsleep(Thread thread) throws Exception {
        await().atMost(LONG).pollInterval(Duration.ofMillis(1)).until(() -> {
            on("suspend", thread);
            StackTraceElement[] stack = thread.getStackTrace();
            boolean asleep = stack.length > 0
                    && stack[0].getMethodName().startsWith("wait")
                    && thread.getState() == Thread.State.TIMED_WAITING;
            if (!asleep) {
                on("resume", thread);
            }
            return asleep;
        });
    }

    /** By name: these methods are deprecated, and throw where a newer Java has taken them away. */
    private static void on(String method, Thread thread) throws Exception {
        try {
            Thread.class.getMethod(method).invoke(thread);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(method + " is not possible", e.getCause());
        }
    }
}
