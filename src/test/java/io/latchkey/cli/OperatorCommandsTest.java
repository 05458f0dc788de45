package io.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.latchkey.ServiceInstance;
import io.latchkey.testing.TestZooKeeper;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.ZNodes;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The operators' commands on a ledger that a real instance writes, and after it is gone. */
@Tag("slow")
class OperatorCommandsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String EVERY_SECOND = """
        <simple><name>each-second</name><group>ops</group><job-name>tick</job-name><job-group>ops</job-group>
         <repeat-count>-1</repeat-count><repeat-interval>1000</repeat-interval></simple>
        """;
    private static final String YEARLY = """
        <cron><name>%2$s-yearly</name><group>ops</group><job-name>%1$s</job-name><job-group>ops</job-group>
         <cron-expression>0 0 0 1 1 ?</cron-expression></cron>
        """;

    @TempDir
    Path dir;

    private final ZNodes nodes = new ZNodes("/latchkey");
    private TestZooKeeper zookeeper;
    private ServiceInstance instance;
    private Path conf;

    @BeforeEach
    void start() throws Exception {
        zookeeper = TestZooKeeper.server();
        conf = ServiceInstance.conf(
                dir.resolve("conf"),
                ServiceInstance.stampJob("tick", "cli", EVERY_SECOND)
                        + ServiceInstance.stampJob("ev\u202eil", "cli", YEARLY.formatted("ev\u202eil", "evil"))
                        + """
                        <job><name>broken</name><group>ops</group><job-class>com.example.jobs.FailJob</job-class>
                         <durability>true</durability><job-data-map>
                          <entry><key>how</key><value>RuntimeException</value></entry></job-data-map></job>
                        <job><name>again</name><group>ops</group><job-class>com.example.jobs.FailJob</job-class>
                         <durability>true</durability><job-data-map>
                          <entry><key>how</key><value>RuntimeException</value></entry>
                          <entry><key>latchkey.retries</key><value>1</value></entry>
                          <entry><key>latchkey.retry-backoff</key><value>1h</value></entry></job-data-map></job>
                        <job><name>sleep</name><group>ops</group><job-class>com.example.jobs.SleepJob</job-class>
                         <durability>true</durability></job>
                        """);
        instance = ServiceInstance.start(conf, "one", zookeeper.connectString());
        await().atMost(PATIENCE).until(instance::leads);
    }

    @AfterEach
    void stop() {
        instance.close();
        zookeeper.close();
    }

    @Test
    void jobsHistoryAndRunningAreToldWithALeaderAndWithout() throws Exception {
        await().atMost(PATIENCE).until(() -> command("history", "tick").out().contains("SUCCEEDED"));

        Output jobs = command("jobs");
        assertThat(jobs.code()).isZero();
        assertThat(jobs.out())
                .containsPattern("ops\\.tick +ops\\.each-second +20\\S+Z, .* SUCCEEDED 20\\S+Z, \\d+ s ago")
                .contains("ops.ev%E2%80%AEil")
                .as("never ran, no trigger")
                .contains("ops.broken")
                .doesNotContain("\u202e", "Nobody leads");
        assertThat(command("instances").out()).containsPattern("1 +one +leading");

        instance.close();

        JsonNode json = Json.mapper().readTree(command("jobs", "--json").out());
        assertThat(json.has("leader")).isFalse();
        JsonNode tick = json.at("/jobs/4");
        assertThat(tick.get("job").asText()).isEqualTo("ops.tick");
        assertThat(tick.has("key")).isFalse();
        assertThat(tick.at("/triggers/0/next").asText()).endsWith("Z");
        assertThat(tick.at("/triggers/0/timesFired").asInt()).isPositive();
        assertThat(tick.at("/last/kind").asText()).isEqualTo("SUCCEEDED");
        assertThat(command("jobs").out()).contains("Nobody leads: nothing fires now.");
        assertThat(command("instances").out()).contains("No instance is there.");
        assertThat(command("job", "tick").out())
                .contains("ops.tick", "class    com.example.jobs.", "trigger  ops.each-second: ")
                .containsPattern("ended +20\\S+Z, .* SUCCEEDED");
        assertThat(Json.mapper()
                        .readTree(command("job", "tick", "--json").out())
                        .at("/conf/triggers/0/next"))
                .isNotEmpty();
        assertThat(command("running").out()).isEqualTo("Nothing runs." + System.lineSeparator());
        assertThat(command("history", "-n", "1").out().lines()).hasSize(2);
        JsonNode history =
                Json.mapper().readTree(command("history", "--json", "ops.tick").out());
        assertThat(history.at("/outcomes/0/instance").asText()).isEqualTo("one");
        assertThat(history.at("/outcomes/0/slots").asInt()).isEqualTo(1);
        assertThat(history.at("/outcomes/0/ranMillis").isIntegralNumber()).isTrue();
        Output mistyped = command("jobs", "-Dzookeeper.root=/latchky");
        assertThat(mistyped.code()).isEqualTo(1);
        assertThat(mistyped.err())
                .contains("has no Latchkey under /latchky: there is one under /latchkey; did you mean \"/latchkey\"?");
        zookeeper.client().curator().setData().forPath(nodes.trigger("ops", "each-second"), new byte[] {'{'});
        Output damaged = command("jobs");
        assertThat(damaged.code()).isZero();
        assertThat(damaged.err())
                .contains("warning: " + nodes.trigger("ops", "each-second") + " is damaged: it is not JSON")
                .doesNotContain("anew", "REDACTED");
        Output unknown = command("history", "tikc");
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.err()).contains("there is no job \"tikc\": did you mean \"tick\"?");
        Output negative = command("history", "-n", "-3");
        assertThat(negative.code()).isEqualTo(2);
    }

    @Test
    void triggeredJobRunsAndItsFailureIsInTheHistory() throws Exception {
        // Not in the ledger yet, but in the configuration.
        Output triggered = command("trigger", "broken", "--wait", "60s");
        assertThat(triggered.out())
                .contains("Filed: run ops.broken now")
                .containsAnyOf("It runs on one", "It ran on one");
        assertThat(triggered.code()).isZero();
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(command("history", "broken").out())
                        .contains("FAILED", "(requested)", "failing as asked"));

        command("trigger", "again");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(command("running").out())
                        .containsPattern("ops\\.again .*waits for attempt 2 at 20\\S+Z, in (\\d+ h )?\\d+ min"));
        assertThat(command("jobs").out()).containsPattern("ops\\.again .* FAILED .* waits for attempt 2 at");
        assertThat(command("history", "again").out()).containsPattern(" FAILED .* tried again; .*failing as asked");
        JsonNode waits = Json.mapper().readTree(command("running", "--json").out());
        assertThat(waits.at("/running/0/state").asText()).isEqualTo("WAITING");
        assertThat(waits.at("/running/0/retryAt").asText()).endsWith("Z");

        assertThat(command("trigger", "sleep", "--data", "sleepMs=60000", "--wait", "60s")
                        .out())
                .contains("It runs on one");
        assertThat(command("running").out()).contains("ops.sleep", "one since ");
        assertThat(command("jobs").out()).containsPattern("ops\\.sleep .* one since ");

        Output bad = command("trigger", "broken", "--data", "bad");
        assertThat(bad.code()).isEqualTo(2);
        assertThat(bad.err()).contains("bad", "KEY=VALUE");
        assertThat(command("trigger", "broken", "--data", "=bad").err()).contains("KEY=VALUE");
        Output unknown = command("trigger", "brokn");
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.err()).contains("did you mean \"broken\"?");
        assertThat(command("trigger", "broken", "--data", "x=" + "y".repeat(20_000))
                        .code())
                .isEqualTo(2);
        assertThat(command("trigger", "broken", "--wait", "soon").code()).isEqualTo(2);
    }

    @Test
    void pauseResumeAndResignAreAnsweredByTheLeader() throws Exception {
        Output paused = command("pause", "ops.tick", "--wait", "60s");
        assertThat(paused.out()).contains("Paused: ops.tick.");
        assertThat(command("jobs").out()).containsPattern("ops\\.tick .* paused \\(20");
        assertThat(command("pause", "--all", "--wait", "60s").out()).contains("Paused: everything.");
        assertThat(command("resume", "tick", "--wait", "60s").out()).contains("everything is paused still");
        assertThat(command("resume", "--all", "--wait", "60s").out()).contains("Resumed: everything.");
        assertThat(command("jobs").out()).doesNotContain("paused");
        assertThat(command("pause", "--trigger", "each-second", "--wait", "60s").out())
                .contains("Paused: ops.each-second.");
        assertThat(command("pause").code()).isEqualTo(2);
        assertThat(command("pause", "--all", "tick").code()).isEqualTo(2);

        JsonNode again = Json.mapper()
                .readTree(command("pause", "tick", "--wait", "60s", "--json").out());
        assertThat(again.at("/action/state").asText()).isEqualTo("DONE");
        assertThat(again.at("/action/answeredBy").asText()).isEqualTo("one");
        assertThat(command("audit").out())
                .containsPattern("\\S+@\\S+ +pause ops\\.tick +DONE +- +one")
                .contains("resume");
        assertThat(Json.mapper()
                        .readTree(command("audit", "--json", "-n", "1").out())
                        .at("/actions"))
                .hasSize(1);

        Output resigned = command("resign", "--wait", "60s");
        assertThat(resigned.out()).contains("one agreed, and leads again with term 2");
        assertThat(resigned.code()).isZero();

        instance.close();
        Output nobody = command("resign");
        assertThat(nobody.code()).isEqualTo(1);
        assertThat(nobody.err()).contains("nobody leads");
        Output waits = command("pause", "tick", "--wait", "0s");
        assertThat(waits.code()).isZero();
        assertThat(waits.out()).contains("Nobody leads now", "the next leader answers it");
        assertThat(command("jobs").out()).contains("1 request waits for the leader.");
    }

    @Test
    void repairWaitsForAllInstancesToStopAndPutsTheLeaderBack() throws Exception {
        await().atMost(PATIENCE).until(() -> command("history").out().contains("SUCCEEDED"));
        Output refused = command("repair");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.err()).contains("1 instance is running (one)", "Stop every instance");

        instance.close();
        assertThat(command("repair").out()).contains("Nothing to repair");
        try (ZooKeeperClient client = ZooKeeperClient.start(zookeeper.settings())) {
            assertThat(client.awaitConnected(PATIENCE)).isTrue();
            client.curator().delete().forPath(nodes.leader());
        }
        Output status = command("status");
        assertThat(status.code()).isEqualTo(1);
        assertThat(status.out()).contains("/latchkey/leader is missing while there are cursors", "`latchkey repair`");

        Output repaired = command("repair", "--token-floor", "9000");
        assertThat(repaired.code()).isZero();
        assertThat(repaired.out())
                .contains(
                        "Put /latchkey/leader back",
                        "The next leader takes term 2, and its fencing token is 9001 or higher");

        instance = ServiceInstance.start(conf, "two", zookeeper.connectString());
        await().atMost(PATIENCE).until(instance::leads);
        assertThat(instance.term().token()).isGreaterThan(9000);
        assertThat(command("repair", "--token-floor", "-1").code()).isEqualTo(2);
    }

    @Test
    void whatIsOnHoldIsToldUntilItIsResumed() throws Exception {
        instance.close();
        String next = "/jobs/4/triggers/0/next";
        await().atMost(PATIENCE)
                .until(() -> Instant.parse(json("jobs").at(next).asText())
                        .isBefore(Instant.now().minusSeconds(2)));
        instance = ServiceInstance.start(
                conf, "two", zookeeper.connectString(), "scheduler.catch-up=hold", "scheduler.misfire-threshold=500ms");
        await().atMost(PATIENCE).until(instance::leads);

        assertThat(command("jobs").out())
                .containsPattern("ops\\.each-second +on hold, \\d+ slots? waits? ")
                .containsPattern("Trigger ops\\.each-second is on hold since 20\\S+Z: \\d+ slots? .* missed")
                .contains("`latchkey resume --trigger ops.each-second` runs ");
        JsonNode hold = json("jobs").at("/jobs/4/triggers/0/onHold");
        assertThat(hold.get("slots").asInt()).isPositive();
        assertThat(hold.get("first").asText())
                .isLessThanOrEqualTo(hold.get("last").asText());

        assertThat(command("resume", "--trigger", "each-second", "--wait", "60s")
                        .code())
                .isZero();
        assertThat(command("jobs").out()).doesNotContain("on hold");
    }

    private JsonNode json(String command) throws Exception {
        return Json.mapper().readTree(command(command, "--json").out());
    }

    @Test
    void ledgerMovesToAnotherEnsembleOrNotAtAll() throws Exception {
        await().atMost(PATIENCE).until(() -> command("history").out().contains("SUCCEEDED"));
        assertThat(command("ledger", "export").err()).contains("warning: an instance leads");
        long token = instance.term().token();
        instance.close();
        String file = dir.resolve("ledger.jsonl").toString();
        assertThat(command("ledger", "export", file).err()).contains("Exported ", " records from /latchkey");
        assertThat(command("ledger", "export", file).code())
                .as("not over a file")
                .isEqualTo(1);
        Output here = command("ledger", "import", file);
        assertThat(here.code()).isEqualTo(1);
        assertThat(here.err()).contains("nothing was imported: there is a ledger under /latchkey already");

        try (TestZooKeeper other = TestZooKeeper.server()) {
            List<String> lines = Files.readAllLines(Path.of(file));
            refused(other, "is not whole", lines.subList(0, lines.size() - 1));
            refused(other, "line 2 is no record: it is not JSON", replaced(lines, 1, "{"));
            refused(
                    other,
                    "line 2 has a path that is no part of a ledger",
                    replaced(lines, 1, "{\"path\":\"latch/x\"}"));
            refused(other, "line 3 has a path again", replaced(lines, 2, lines.get(1)));
            refused(
                    other,
                    "line 2 is no record",
                    replaced(lines, 1, "{\"path\":\"triggers/a/b\",\"data\":\"{\\\"format\\\":1}\"}"));
            refused(other, "line 1 is not the header", lines.subList(1, lines.size()));
            assertThat(on(other, "jobs").err()).as("nothing was written").contains("has no Latchkey under /latchkey");

            Output imported = on(other, "ledger", "import", file);
            assertThat(imported.out()).contains("Imported " + (lines.size() - 1) + " records into /latchkey");
            assertThat(on(other, "jobs").out()).contains("ops.tick");
            try (ServiceInstance moved = ServiceInstance.start(conf, "two", other.connectString())) {
                await().atMost(PATIENCE).until(moved::leads);
                assertThat(moved.term().token()).isGreaterThan(token);
                assertThat(moved.term().number()).isEqualTo(2);
                assertThat(on(other, "ledger", "import", file).err()).contains("instances are running here (two)");
            }
        }
    }

    @Test
    void unreachableZooKeeperExitsThreeAndAnEmptyOneIsSaid() throws Exception {
        instance.close();
        try (TestZooKeeper empty = TestZooKeeper.server()) {
            assertThat(on(empty, "jobs").err())
                    .contains("has no Latchkey under /latchkey: no instance has joined there yet");
            assertThat(on(empty, "history").code()).isEqualTo(1);
            assertThat(on(empty, "repair").code()).isEqualTo(1);
            assertThat(on(empty, "trigger", "tick").err()).contains("has no Latchkey under /latchkey");
            assertThat(on(empty, "repair", "--token-floor", "7").out()).contains("Put /latchkey/leader back");
        }
        zookeeper.stop();
        assertThat(command("jobs").code()).isEqualTo(3);
    }

    private void refused(TestZooKeeper other, String why, List<String> lines) throws Exception {
        Path broken = Files.write(dir.resolve("broken.jsonl"), lines);
        Output refused = on(other, "ledger", "import", broken.toString());
        assertThat(refused.err()).contains("nothing was imported", why);
        assertThat(refused.code()).isEqualTo(1);
    }

    private static List<String> replaced(List<String> lines, int index, String line) {
        List<String> changed = new ArrayList<>(lines);
        changed.set(index, line);
        return changed;
    }

    private Output command(String command, String... options) {
        return on(zookeeper, command, options);
    }

    private Output on(TestZooKeeper target, String command, String... options) {
        return Output.of(conf, command, options, "-Dzookeeper.connect=" + target.connectString(), "-Dinstance.id=test");
    }
}
