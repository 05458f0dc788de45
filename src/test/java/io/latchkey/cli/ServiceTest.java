package io.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Instances as processes of their own, through the public command line. */
@Tag("slow")
class ServiceTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String NO_JOBS = """
            <job-scheduling-data xmlns="http://www.quartz-scheduler.org/xml/JobSchedulingData" version="2.0">
              <schedule/>
            </job-scheduling-data>
            """;

    @TempDir
    Path temp;

    private Distribution distribution;

    @BeforeEach
    void unpack() throws Exception {
        distribution = Distribution.in(temp.resolve("some where")).with("jobs.xml", NO_JOBS);
    }

    @Test
    void instanceLeadsAloneAndEndsWithZeroOnSigterm() throws Exception {
        Process run = distribution.start("run");
        try {
            await().atMost(PATIENCE)
                    .until(() -> Output.of(distribution.conf(), "status", new String[0])
                                    .code()
                            == 0);
            assertThat(Output.of(distribution.conf(), "status", new String[0]).out())
                    .contains("embedded", "for evaluation only", "pid " + run.pid());

            run.toHandle().destroy();

            Finished finished = Finished.of(run);
            assertThat(finished.output()).contains("evaluation only", "Stopping", "Stopped");
            assertThat(finished.code()).as(finished.output()).isZero();
        } finally {
            run.destroyForcibly();
        }
    }

    @Test
    void startRefusesTheEmbeddedServer() {
        Output output = Output.of(distribution.conf(), "start", new String[0]);

        assertThat(output.err()).contains("embedded is for evaluation only", "Set zookeeper.connect");
        assertThat(output.code()).isEqualTo(2);
    }

    @Test
    void daemonStartsOnceAndStops() throws Exception {
        InstanceSpec spec = new InstanceSpec(null, -1, -1, -1, true, -1, 500, -1, Map.of(), "127.0.0.1");
        try (TestingServer server = new TestingServer(spec, true)) {
            distribution.with("latchkey.properties", "zookeeper.connect=" + server.getConnectString() + "\n");
            // A file left behind by a daemon that was killed, with a PID that is another process's by now.
            Path data = Files.createDirectories(distribution.home().resolve("data"));
            Files.writeString(
                    data.resolve("latchkey.pid"), ProcessHandle.current().pid() + "\n");
            try {
                Finished start = distribution.run("start");
                assertThat(start.output()).contains("Starting, pid ", "Joined as ");
                assertThat(start.code()).as(start.output()).isZero();
                assertThat(distribution.run("start").code()).isEqualTo(5);
            } finally {
                Finished stop = distribution.run("stop");
                assertThat(stop.output()).contains("hands the lead over", "Stopped");
                assertThat(stop.code()).isZero();
            }
            assertThat(distribution.run("stop").output()).contains("Not running");
        }
    }

    @Test
    void daemonThatCannotStartSaysWhy() throws Exception {
        distribution.with("jobs.xml", "<no/>").with("latchkey.properties", "zookeeper.connect=127.0.0.1:1\n");

        Finished start = distribution.run("start");

        assertThat(start.output()).contains("jobs.xml");
        assertThat(start.code()).isEqualTo(2);
    }

    @Test
    void killedDemoLeavesNothingBehind() throws Exception {
        Process demo = distribution.start("demo");
        Path files = null;
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(demo.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.contains("status --conf ")) {
                    files = Path.of(line.substring(line.indexOf("--conf ") + 7)).getParent();
                }
                if (line.contains(" leads: term ")) {
                    break;
                }
            }
            assertThat(files).isNotNull().exists();
            List<ProcessHandle> children = demo.descendants().toList();
            assertThat(children).hasSizeGreaterThanOrEqualTo(4);

            demo.destroyForcibly();

            await().atMost(PATIENCE).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
            assertThat(files).doesNotExist();
        } finally {
            demo.destroyForcibly();
        }
    }
}
