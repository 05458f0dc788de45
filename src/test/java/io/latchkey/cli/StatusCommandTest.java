package io.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.latchkey.election.InstanceInfo;
import io.latchkey.election.InstanceRecord;
import io.latchkey.election.LeaderRecord;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.ZNodes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusCommandTest {
    private static final Instant SINCE = Instant.parse("2026-11-29T12:34:56Z");
    private static final String FIRST = "_c_9f-latch-0000000002";
    private static final String SECOND = "_c_1a-latch-0000000010";

    @TempDir
    Path conf;

    private final ZNodes nodes = new ZNodes("/latchkey");
    private TestingServer server;
    private CuratorFramework client;

    @BeforeEach
    void start() throws Exception {
        server = new TestingServer(new InstanceSpec(null, -1, -1, -1, true, -1, 500, -1, Map.of(), "127.0.0.1"), true);
        client = CuratorFrameworkFactory.newClient(server.getConnectString(), new RetryOneTime(100));
        client.start();
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        server.close();
    }

    @Test
    void emptyZooKeeperHasNoLeader() {
        Output status = status();

        assertThat(status.err()).contains("has no Latchkey under /latchkey: no instance has joined there yet");
        assertThat(status.code()).isEqualTo(1);
    }

    @Test
    void rootsBesideAMistypedOneAreNamed() throws Exception {
        publish("first", "standby", "aaaaaaaaaaaa");

        Output status = status("-Dzookeeper.root=/lachtkey");

        assertThat(status.err()).contains("no Latchkey under /lachtkey: there is one under /latchkey; did you mean");
        assertThat(status.code()).isEqualTo(1);
    }

    @Test
    void ownerOfTheLowestLatchNodeLeadsWithItsTerm() throws Exception {
        join("standby", SECOND, "standby", "aaaaaaaaaaaa");
        join("first", FIRST, "leading", "aaaaaaaaaaaa");
        lead("first", FIRST);

        Output status = status();

        assertThat(status.out())
                .contains("leader     first (host-of-first, pid 17)")
                .contains("term       7, since 2026-11-29T12:34:56Z")
                .containsSubsequence("1      first", "leading", "2      standby", "standby")
                .doesNotContain("differ");
        assertThat(status.code()).isZero();
    }

    @Test
    void leaderRecordOfADeadLatchNodeMakesNoLeader() throws Exception {
        join("survivor", SECOND, "standby", "aaaaaaaaaaaa");
        lead("dead", FIRST);

        Output status = status();

        assertThat(status.out()).contains("nobody leads", "survivor is first in the latch", "was dead's");
        assertThat(status.code()).isEqualTo(1);
    }

    @Test
    void leaderRecordOfAHigherLatchNodeMakesNoLeader() throws Exception {
        join("first", FIRST, "standby", "aaaaaaaaaaaa");
        join("second", SECOND, "leading", "aaaaaaaaaaaa");
        lead("second", SECOND);

        assertThat(status().code()).isEqualTo(1);
    }

    @Test
    void instancesOutsideTheLatchAreShownWithoutAPlace() throws Exception {
        publish("outside", "backing off", "aaaaaaaaaaaa");

        assertThat(status().out()).contains("-      outside", "backing off");
    }

    @Test
    void differingConfIsSaidWithWhoDiffers() throws Exception {
        join("first", FIRST, "leading", "aaaaaaaaaaaa");
        join("second", SECOND, "standby", "bbbbbbbbbbbb");

        assertThat(status().out()).contains("jobs differ: most have conf", "latchkey reload");
    }

    @Test
    void missingLeaderRecordWithCursorsIsSaidWithItsRepair() throws Exception {
        client.create().creatingParentsIfNeeded().forPath(nodes.trigger("DEFAULT", "tick"));

        assertThat(status().out()).contains("/latchkey/leader is missing", "latchkey repair");
    }

    @Test
    void newerFormatsAreSaidAndNotRead() throws Exception {
        client.create()
                .creatingParentsIfNeeded()
                .forPath(nodes.leader(), "{\"format\":99}".getBytes(StandardCharsets.UTF_8));

        Output status = status();

        assertThat(status.out()).contains("nobody leads", "99");
        assertThat(status.code()).isEqualTo(1);
    }

    @Test
    void whyAnInstanceIsBlockedIsSaid() throws Exception {
        InstanceInfo info = new InstanceInfo("old", "host-of-old", 17, "1.0", SINCE, "aaaaaaaaaaaa", null);
        client.create()
                .creatingParentsIfNeeded()
                .forPath(
                        nodes.instance("old"),
                        Json.write(new InstanceRecord(
                                InstanceRecord.FORMAT, info, "blocked", 0, 0, SINCE, "1f", "it is too old")));

        assertThat(status().out()).contains("old does not lead (blocked): it is too old.");
        assertThat(Json.mapper()
                        .readTree(status("--json").out())
                        .at("/instances/0/trouble")
                        .asText())
                .isEqualTo("it is too old");
    }

    @Test
    void jsonHoldsTheSame() throws Exception {
        join("first", FIRST, "leading", "aaaaaaaaaaaa");
        lead("first", FIRST);

        Output status = status("--json");

        JsonNode json = Json.mapper().readTree(status.out());
        assertThat(json.at("/leader/instance").asText()).isEqualTo("first");
        assertThat(json.at("/leader/term").asLong()).isEqualTo(7);
        assertThat(json.at("/leader/since").asText()).isEqualTo("2026-11-29T12:34:56Z");
        assertThat(json.at("/led").asBoolean()).isTrue();
        assertThat(json.at("/instances/0/place").asInt()).isEqualTo(1);
        assertThat(status.code()).isZero();
    }

    @Test
    @Tag("slow")
    void unreachableZooKeeperExitsThree() throws Exception {
        server.stop();

        Output status = status();

        assertThat(status.err()).contains("no ZooKeeper server answers at " + server.getConnectString());
        assertThat(status.code()).isEqualTo(3);
    }

    @Test
    @Tag("slow")
    void unknownHostIsNamed() {
        Output status = Output.of(conf, "status", new String[] {"-Dzookeeper.connect=nosuchhost.invalid:2181"});

        assertThat(status.err()).contains("nosuchhost.invalid is not known to this machine");
        assertThat(status.code()).isEqualTo(3);
    }

    @Test
    void zkcliNamesACommandItDoesNotHave() throws Exception {
        publish("first", "standby", "aaaaaaaaaaaa");

        Output output = Output.of(
                conf, "zkcli", new String[] {"gett", "/leader"}, "-Dzookeeper.connect=" + server.getConnectString());

        assertThat(output.err()).contains("zkcli has no command gett: do you mean get?");
        assertThat(output.code()).isEqualTo(1);
    }

    @Test
    void agesReadAsPeopleSayThem() {
        assertThat(StatusText.ago(Duration.ofSeconds(-3))).isEqualTo("0 s");
        assertThat(StatusText.ago(Duration.ofSeconds(59))).isEqualTo("59 s");
        assertThat(StatusText.ago(Duration.ofSeconds(125))).isEqualTo("2 min 5 s");
        assertThat(StatusText.ago(Duration.ofMinutes(61))).isEqualTo("1 h 1 min");
        assertThat(StatusText.ago(Duration.ofHours(49))).isEqualTo("2 d 1 h");
    }

    private void join(String id, String node, String role, String digest) throws Exception {
        client.create()
                .creatingParentsIfNeeded()
                .withMode(CreateMode.EPHEMERAL)
                .forPath(nodes.latch() + "/" + node, id.getBytes(StandardCharsets.UTF_8));
        publish(id, role, digest);
    }

    private void publish(String id, String role, String digest) throws Exception {
        InstanceInfo info = new InstanceInfo(id, "host-of-" + id, 17, "1.0", SINCE, digest, null);
        client.create()
                .creatingParentsIfNeeded()
                .withMode(CreateMode.EPHEMERAL)
                .forPath(
                        nodes.instance(id),
                        Json.write(new InstanceRecord(InstanceRecord.FORMAT, info, role, 0, 0, SINCE, "1f", null)));
    }

    private void lead(String id, String node) throws Exception {
        LeaderRecord record =
                new LeaderRecord(LeaderRecord.FORMAT, id, 7, 1, nodes.latch() + "/" + node, SINCE, "n", "aaaaaaaaaaaa");
        client.create().creatingParentsIfNeeded().forPath(nodes.leader(), Json.write(record));
    }

    private Output status(String... options) {
        return Output.of(
                conf, "status", options, "-Dzookeeper.connect=" + server.getConnectString(), "-Dinstance.id=test");
    }
}
