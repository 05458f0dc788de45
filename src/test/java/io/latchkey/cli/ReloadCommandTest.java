package io.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import com.example.jobs.StampJob;
import com.example.jobs.StampJob.Stamp;
import com.fasterxml.jackson.databind.JsonNode;
import io.latchkey.ServiceInstance;
import io.latchkey.testing.LogCapture;
import io.latchkey.testing.TestZooKeeper;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.ReadResult;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Whole instances whose files change while they run. */
@Tag("slow")
class ReloadCommandTest {
    private static final String ALL = "MISFIRE_INSTRUCTION_IGNORE_MISFIRE_POLICY";
    private static TestZooKeeper zookeeper;
    private static ZooKeeperClient client;

    @TempDir
    private Path dir;

    private String log = "";
    private Path confA = Path.of("");
    private Path confB = Path.of("");

    @BeforeAll
    static void start() throws Exception {
        zookeeper = TestZooKeeper.server();
        client = zookeeper.client();
    }

    @AfterAll
    static void stop() throws Exception {
        zookeeper.close();
    }

    @BeforeEach
    void files(TestInfo test) throws Exception {
        log = "reload-" + test.getTestMethod().orElseThrow().getName();
        confA = ServiceInstance.conf(dir.resolve("a/conf"), steady());
        confB = ServiceInstance.conf(dir.resolve("b/conf"), steady());
    }

    private ServiceInstance instance(Path conf, String id, String... more) throws Exception {
        String[] settings = new String[more.length + 1];
        System.arraycopy(more, 0, settings, 0, more.length);
        settings[more.length] = "zookeeper.root=/" + log;
        return ServiceInstance.start(conf, id, zookeeper.connectString(), settings);
    }

    private Output command(String name, String... more) {
        String[] options = {"-Dzookeeper.connect=" + zookeeper.connectString(), "-Dzookeeper.root=/" + log};
        return Output.of(confA, name, options, more);
    }

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }

    /** Fires every 100 ms, each slot whatever happens. */
    private String steady() {
        return job("steady", ServiceInstance.every("steady", ALL, Duration.ofMillis(100)));
    }

    private String job(String name, String trigger) {
        return ServiceInstance.stampJob(name, log, trigger);
    }

    private String yearly(String name) {
        return job(name, ServiceInstance.cron(name, ALL, "0 0 0 1 1 ?"));
    }

    private List<Stamp> runs(String job) {
        return StampJob.of(log).stream()
                .filter(stamp -> stamp.job().equals("ops." + job))
                .toList();
    }

    private void assertSteadyWithoutAGapOrADouble() {
        List<Instant> slots =
                runs("steady").stream().map(Stamp::scheduled).sorted().toList();
        assertThat(slots).hasSizeGreaterThan(5).doesNotHaveDuplicates();
        for (int i = 1; i < slots.size(); i++) {
            assertThat(Duration.between(slots.get(i - 1), slots.get(i)))
                    .as("after %s", slots.get(i - 1))
                    .isEqualTo(Duration.ofMillis(100));
        }
    }

    private JsonNode json(Output output) throws Exception {
        return Json.mapper().readTree(output.out());
    }

    @Test
    @SuppressWarnings("try") // they run; nothing is asked of them but through the command
    void everyInstanceReloadsItsOwnDirectoryAndWhatIsBrokenIsRefusedWhole() throws Exception {
        try (ServiceInstance a = instance(confA, "a");
                ServiceInstance b = instance(confB, "b")) {
            patiently().until(() -> runs("steady").size() > 3);
            ServiceInstance.conf(confA, steady() + yearly("new"));
            ServiceInstance.conf(confB, steady() + yearly("new"));
            Output applied = command("reload");
            assertThat(applied.out()).contains("a  applied: conf ", " is in force (leads)", "b  applied: conf ");
            assertThat(applied.code()).isZero();
            assertThat(command("jobs").out()).contains("ops.new");

            JsonNode again = json(command("reload", "--json"));
            assertThat(again.get("agree").booleanValue()).isTrue();
            assertThat(again.at("/instances/0/outcome").textValue()).isEqualTo("unchanged");
            String good = again.at("/instances/1/conf").textValue();
            assertThat(command("status").out()).doesNotContain("differ");

            // Broken on one host, another change on the other.
            ServiceInstance.conf(confA, yearly("new") + steady() + yearly("third"));
            ServiceInstance.conf(confB, yearly("third") + "<job><name>x</name></job>");
            Output refused = command("reload");
            assertThat(refused.code()).isEqualTo(1);
            assertThat(refused.out())
                    .contains("a  applied", "b  refused: conf " + good + " stays in force", "jobs.xml:", "job-class");
            JsonNode status = json(command("status", "--json"));
            assertThat(status.at("/confDiffers/0").textValue()).isEqualTo("b");
            assertThat(status.get("notes").toString())
                    .contains("The instances' jobs differ: the leader a runs conf", "b refused to reload");
        }
        assertSteadyWithoutAGapOrADouble();
        assertThat(runs("steady").stream().map(Stamp::term).distinct()).hasSize(1);
    }

    @Test
    void whatWouldRemoveAllJobsIsRefusedUnlessAskedFor() throws Exception {
        try (ServiceInstance a = instance(confA, "a")) {
            patiently().until(() -> runs("steady").size() > 3);
            ServiceInstance.conf(confA, "");
            Output refused = command("reload");
            assertThat(refused.code()).isEqualTo(1);
            assertThat(refused.out()).contains("register no job any more", "--allow-empty");
            int before = runs("steady").size();
            patiently().until(() -> runs("steady").size() > before + 2);

            assertThat(command("reload", "--allow-empty").code()).isZero();
            int after = runs("steady").size();
            patiently()
                    .during(Duration.ofMillis(500))
                    .until(() -> runs("steady").size() <= after + 1);
            assertThat(a.leads()).isTrue();
        }
    }

    @Test
    void settingsOfJobsAreReloadedAndOthersAreNamed() throws Exception {
        try (ServiceInstance a = instance(confA, "a")) {
            Files.writeString(confA.resolve("latchkey.properties"), """
                jobs.files=other.xml
                scheduler.threads=3
                shutdown.drain-timeout=1s
                """);
            Files.move(confA.resolve("jobs.xml"), confA.resolve("other.xml"));
            Files.writeString(confA.resolve("quartz.properties"), "org.quartz.context.key.greeting=hello");
            Output output = command("reload");
            // The drain timeout is given on the command line, which goes over the file.
            assertThat(output.out())
                    .contains("a  unchanged", "only a restart", "org.quartz.context.key.greeting", "scheduler.threads")
                    .doesNotContain("drain-timeout", "jobs.files");
            ServiceInstance.conf(confA, "");
            Files.move(confA.resolve("jobs.xml"), confA.resolve("other.xml"), StandardCopyOption.REPLACE_EXISTING);
            assertThat(command("reload").out()).contains("register no job any more");
            assertThat(a.leads()).isTrue();
        }
    }

    @Test
    void aChangedJarWantsARestartAndNothingIsApplied() throws Exception {
        try (ServiceInstance a = instance(confA, "a")) {
            Path jars = Files.createDirectories(confA.resolveSibling("jobs"));
            Files.writeString(jars.resolve("new.jar"), "PK");
            ServiceInstance.conf(confA, steady() + yearly("new"));
            Output output = command("reload");
            assertThat(output.code()).isEqualTo(1);
            assertThat(output.out()).contains("a  refused", "new.jar", "restart the instances one by one");
            assertThat(command("jobs").out()).doesNotContain("ops.new");
            assertThat(a.leads()).isTrue();
        }
    }

    @Test
    void whatHasNotChangedGoesOnThroughReloadsAndChangesOfLeader() throws Exception {
        try (ServiceInstance a = instance(confA, "a");
                ServiceInstance b = instance(confB, "b")) {
            patiently().until(() -> runs("steady").size() > 3);
            for (int i = 1; i <= 20; i++) {
                String jobs = steady() + yearly("n" + i) + yearly("m" + i / 2);
                ServiceInstance.conf(confA, jobs);
                ServiceInstance.conf(confB, jobs);
                ServiceInstance leader = a.leads() ? a : b;
                // Right before a change of leader, in the middle of it, or without one.
                if (i % 5 == 0) {
                    assertThat(command("reload", "--wait", "0s").code()).isZero();
                    leader.resign();
                } else if (i % 5 == 1) {
                    leader.resign();
                }
                Output output = command("reload", "--wait", "60s");
                assertThat(output.code()).as(output.out()).isZero();
                patiently().until(() -> a.leads() || b.leads());
            }
            int now = runs("steady").size();
            patiently().until(() -> runs("steady").size() > now + 3);
            assertThat(command("jobs").out())
                    .containsPattern("ops.n20-t +2")
                    .containsPattern("ops.n19-t +not in the conf");
        }
        assertSteadyWithoutAGapOrADouble();
    }

    @Test
    void watchedFilesAreComparedByContent() throws Exception {
        Path first = Files.move(confA, dir.resolve("v1"));
        Path second = ServiceInstance.conf(dir.resolve("v2"), steady() + yearly("second"));
        Files.createSymbolicLink(confA, first);
        try (ServiceInstance a = instance(confA, "a", "jobs.watch=true")) {
            patiently().until(() -> runs("steady").size() > 3);
            Files.setLastModifiedTime(
                    first.resolve("jobs.xml"), FileTime.from(Instant.now().plusSeconds(5)));
            Path link = Files.createSymbolicLink(dir.resolve("next"), second);
            Files.move(link, confA, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            patiently().until(() -> command("jobs").out().contains("ops.second"));

            // A file that is written slowly is refused while it is broken, and taken when it is whole.
            String whole = Files.readString(ServiceInstance.conf(dir.resolve("v3"), steady() + yearly("third"))
                    .resolve("jobs.xml"));
            Files.writeString(second.resolve("jobs.xml"), whole.substring(0, whole.length() / 2));
            patiently().until(() -> command("status").out().contains("a refused to reload"));
            assertThat(command("jobs").out()).contains("ops.second");
            Files.writeString(second.resolve("jobs.xml"), whole);
            patiently().until(() -> command("jobs").out().contains("ops.third"));
            assertThat(command("status").out()).doesNotContain("refused");
            assertThat(a.leads()).isTrue();
        }
        assertSteadyWithoutAGapOrADouble();
    }

    @Test
    void aFileThatIsBeingWrittenIsReadWhenItIsWhole() throws Exception {
        try (ServiceInstance a = instance(confA, "a")) {
            String whole = Files.readString(ServiceInstance.conf(dir.resolve("next"), steady() + yearly("new"))
                    .resolve("jobs.xml"));
            Path file = confA.resolve("jobs.xml");
            // Until the instances have been called, and half a second more.
            Thread writer = new Thread(() -> {
                try {
                    int left = 10;
                    for (int i = 0; left > 0; i++) {
                        Files.writeString(file, whole.substring(0, whole.length() * (i % 20 + 1) / 21));
                        Thread.sleep(50);
                        left -= isThere("reload") ? 1 : 0;
                    }
                    Files.writeString(file, whole);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            writer.start();
            Output output = command("reload");
            writer.join();
            assertThat(output.out()).contains("a  applied").doesNotContain("refused");
            assertThat(command("jobs").out()).contains("ops.new");
            assertThat(a.leads()).isTrue();
        }
    }

    @Test
    void aLeaderWithAnOlderConfThanTheOneBeforeSaysSo() throws Exception {
        try (ServiceInstance a = instance(confA, "a");
                LogCapture logs = LogCapture.of("io.latchkey.ledger")) {
            patiently().until(() -> a.leads() && isThere("confs"));
            ServiceInstance.conf(confA, steady() + yearly("new"));
            assertThat(command("reload").code()).isZero();
            // Its host was forgotten.
            try (ServiceInstance b = instance(confB, "b")) {
                a.resign();
                patiently().until(() -> command("status").out().contains("The leader runs an older conf"));
                assertThat(b.leads()).isTrue();
                assertThat(logs.messages(Level.WARN))
                        .filteredOn(line -> line.contains("conf"))
                        .singleElement()
                        .asString()
                        .contains("The configuration went back");
            }
        }
    }

    private boolean isThere(String name) throws Exception {
        return client.session().get("/" + log + "/" + name).get() instanceof ReadResult.Found<?>;
    }

    @Test
    void withoutAnInstanceItSaysSo() throws Exception {
        try (ServiceInstance a = instance(confA, "a")) {
            assertThat(a.id()).isEqualTo("a");
        }
        Output output = command("reload");
        assertThat(output.code()).isEqualTo(1);
        assertThat(output.err()).contains("there is no instance to reload");
    }
}
