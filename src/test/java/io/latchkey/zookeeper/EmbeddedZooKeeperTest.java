package io.latchkey.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.latchkey.testing.TestZooKeeper;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedZooKeeperTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path dir;

    @Test
    @Tag("slow")
    void dataAndPortOutliveTheServer() throws Exception {
        String first;
        try (EmbeddedZooKeeper server = EmbeddedZooKeeper.startOrJoin(dir)) {
            first = server.connectString();
            assertThat(server.isOwner()).isTrue();
            try (ZooKeeperClient client = connect(first)) {
                client.curator().create().forPath("/kept");
                assertThat(client.negotiatedTimeout())
                        .as("no longer tick of its own")
                        .contains(Duration.ofSeconds(4));
            }
        }
        try (EmbeddedZooKeeper again = EmbeddedZooKeeper.startOrJoin(dir)) {
            assertThat(again.connectString()).isEqualTo(first);
            try (ZooKeeperClient client = connect(first)) {
                assertThat(client.curator().checkExists().forPath("/kept")).isNotNull();
            }
        }
        try (Stream<Path> files = Files.list(dir)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .as("no configuration piles up")
                    .containsExactlyInAnyOrder("zookeeper", "zookeeper.lock", "zookeeper.port");
        }
    }

    @Test
    void secondStartJoinsTheFirst() throws Exception {
        EmbeddedZooKeeper second;
        try (EmbeddedZooKeeper first = EmbeddedZooKeeper.startOrJoin(dir)) {
            second = EmbeddedZooKeeper.startOrJoin(dir);
            assertThat(second.isOwner()).isFalse();
            assertThat(second.connectString()).isEqualTo(first.connectString());
            assertThat(second.ownerGone()).isFalse();

            second.close();
            connect(first.connectString()).close();
        }
        assertThat(second.ownerGone()).isTrue();
    }

    /** What another process runs: a server until it is killed. */
    static final class OtherProcess {
        private OtherProcess() {}

        @SuppressWarnings("SystemOut") // its output is how it talks to the test
        public static void main(String[] args) throws Exception {
            EmbeddedZooKeeper server = EmbeddedZooKeeper.startOrJoin(Path.of(args[0]));
            System.out.println("CONNECT " + server.connectString());
            Thread.currentThread().join();
        }
    }

    @Test
    @Tag("slow")
    void killedProcessLeavesNothingThatHinders() throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherProcess.class.getName(),
                        dir.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            String connect = readConnectString(other);
            EmbeddedZooKeeper joined = EmbeddedZooKeeper.startOrJoin(dir);
            assertThat(joined.isOwner()).isFalse();
            assertThat(joined.connectString()).isEqualTo(connect);
            try (ZooKeeperClient client = connect(connect)) {
                client.curator().create().forPath("/written");
            }

            other.destroyForcibly().waitFor();

            await().atMost(PATIENCE).until(joined::ownerGone);
            assertThat(dir.resolve("zookeeper.port")).exists();
            try (EmbeddedZooKeeper mine = EmbeddedZooKeeper.startOrJoin(dir);
                    ZooKeeperClient client = connect(mine.connectString())) {
                assertThat(mine.isOwner()).isTrue();
                assertThat(client.curator().checkExists().forPath("/written")).isNotNull();
            }
        } finally {
            other.destroyForcibly();
        }
    }

    private static String readConnectString(Process process) throws Exception {
        BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            if (line.startsWith("CONNECT ")) {
                return line.substring("CONNECT ".length());
            }
        }
        throw new AssertionError("The other process ended with " + process.waitFor());
    }

    @Test
    void takenPortIsReplacedByAFreeOne() throws Exception {
        try (ServerSocket stranger = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Files.writeString(dir.resolve("zookeeper.port"), stranger.getLocalPort() + "\n");

            try (EmbeddedZooKeeper server = EmbeddedZooKeeper.startOrJoin(dir)) {
                assertThat(server.connectString()).doesNotEndWith(":" + stranger.getLocalPort());
                connect(server.connectString()).close();
            }
        }
    }

    @Test
    void garbageInThePortFileIsHarmless() throws Exception {
        Files.writeString(dir.resolve("zookeeper.port"), "\0garbage");

        try (EmbeddedZooKeeper server = EmbeddedZooKeeper.startOrJoin(dir)) {
            connect(server.connectString()).close();
        }
    }

    @Test
    void directoryThatCannotBeWrittenToIsNamed() throws Exception {
        Path file = Files.writeString(dir.resolve("file"), "not a directory");

        assertThatThrownBy(() -> EmbeddedZooKeeper.startOrJoin(file))
                .isInstanceOf(SetupException.class)
                .hasMessageContaining("cannot be written to")
                .hasMessageContaining("data.dir " + file);
    }

    private static ZooKeeperClient connect(String connectString) throws Exception {
        ZooKeeperClient client = ZooKeeperClient.start(TestZooKeeper.settings(connectString));
        assertThat(client.awaitConnected(PATIENCE)).isTrue();
        return client;
    }
}
