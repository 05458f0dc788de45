package io.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.latchkey.lifecycle.ExitCode;
import io.latchkey.testing.AuthorJar;
import java.io.OutputStreamWriter;
import java.io.Writer;
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

    /** Notes what it is given, set as a bean; the third run wants more than there is. */
    private static final String HUNGRY = """
        import java.nio.file.*;
        public class Hungry implements org.quartz.Job {
            private String file;
            public void setFile(String file) { this.file = file; }
            public void execute(org.quartz.JobExecutionContext context) throws org.quartz.JobExecutionException {
                try {
                    Path path = Paths.get(file);
                    Files.write(path, (context.get("latchkey.fireId") + " " + context.get("latchkey.fencingToken") + " "
                            + context.get("latchkey.attempt") + System.lineSeparator()).getBytes(),
                            StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                    if (Files.readAllLines(path).size() > 2) {
                        java.util.List<long[]> all = new java.util.ArrayList<>();
                        while (true) {
                            all.add(new long[10_000_000]);
                        }
                    }
                } catch (java.io.IOException e) {
                    throw new org.quartz.JobExecutionException(e);
                }
            }
        }
        """;

    @TempDir
    Path temp;

    private Distribution distribution;

    @BeforeEach
    void unpack() throws Exception {
        distribution = Distribution.in(temp.resolve("some where")).with("jobs.xml", NO_JOBS);
    }

    @Test
    void firstCommandRunsAShippedJobWithinAMinuteAndEndsWithZeroOnSigterm() throws Exception {
        shippedConf();
        Lines run = Lines.of(distribution.start("run"));
        long begun = System.nanoTime();
        Lines second = null;
        try {
            run.await(line -> line.contains("GreetJob") && line.contains("Tick"));
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMinutes(1));
            Output status = Output.of(distribution.conf(), "status", new String[0]);
            assertThat(status.code()).isZero();
            assertThat(status.out())
                    .contains(
                            "embedded",
                            "for evaluation only",
                            "pid " + run.process().pid());

            second = Lines.of(distribution.start("run", "-Dinstance.id=second"));
            second.await(line -> line.contains("Joined the ZooKeeper server"));
            second.await(line -> line.contains("\"second\" is standby"));
            assertThat(zkcli("ls /latch", "get /leader", "get /instances/second"))
                    .contains("-latch-0000000000", "-latch-0000000001")
                    .containsPattern("\"term\" ?: ?1\\b")
                    .contains(
                            "\"role\"",
                            "\"standby\"",
                            "\"pid\"",
                            String.valueOf(second.process().pid()));

            run.process().toHandle().destroy();

            assertThat(run.end()).as(run.text()).isZero();
            assertThat(run.text())
                    .contains("evaluation only", "Stopping", "Stopped")
                    .doesNotContain("ERROR");
            second.await(line -> line.contains("has ended, and the server with it"));
            second.process().toHandle().destroy();
            assertThat(second.end()).as(second.text()).isZero();
        } finally {
            run.process().destroyForcibly();
            if (second != null) {
                second.process().destroyForcibly();
            }
        }
    }

    private void shippedConf() throws Exception {
        for (String file : List.of("jobs.xml", "latchkey.properties", "logback.xml")) {
            distribution.with(
                    file,
                    Files.readString(Distribution.project().resolve("conf").resolve(file)));
        }
    }

    /** What ZooKeeper's own command line prints for some commands, one after the other. */
    private String zkcli(String... commands) throws Exception {
        Process zkcli = distribution.start("zkcli");
        try (Writer in = new OutputStreamWriter(zkcli.getOutputStream(), StandardCharsets.UTF_8)) {
            in.write(String.join("\n", commands) + "\nquit\n");
        }
        return Finished.of(zkcli).output();
    }

    @Test
    void authorsJobReadsItsFireByNameAloneAndOutOfMemoryEndsTheProcess() throws Exception {
        Path seen = temp.resolve("seen");
        AuthorJar.write(distribution.home().resolve("jobs/Hungry.jar"), HUNGRY);
        distribution.with("jobs.xml", """
            <job-scheduling-data xmlns="http://www.quartz-scheduler.org/xml/JobSchedulingData" version="2.0">
              <schedule>
                <job><name>hungry</name><job-class>Hungry</job-class>
                  <job-data-map><entry><key>file</key><value>%s</value></entry></job-data-map></job>
                <trigger><simple><name>often</name><job-name>hungry</job-name><repeat-count>-1</repeat-count>
                  <repeat-interval>1000</repeat-interval></simple></trigger>
              </schedule>
            </job-scheduling-data>
            """.formatted(seen));

        Lines run = Lines.of(distribution.start("run"));
        try {
            assertThat(run.end()).as(run.text()).isEqualTo(ExitCode.FATAL.code());
        } finally {
            run.process().destroyForcibly();
        }

        assertThat(run.text()).contains("OutOfMemoryError", "this instance halts now (exit code 70)", "DEFAULT.hungry");
        List<String> first = List.of(Files.readAllLines(seen).get(0).split(" ", -1));
        assertThat(first.get(0)).startsWith("DEFAULT");
        assertThat(Long.parseLong(first.get(1))).as("fencing token").isPositive();
        assertThat(first.get(2)).as("attempt").isEqualTo("1");
    }

    @Test
    void jobThatCallsExitIsNamedAndNotWaitedForAndHasFailed() throws Exception {
        AuthorJar.write(distribution.home().resolve("jobs/Exits.jar"), """
            public class Exits implements org.quartz.Job {
                public void execute(org.quartz.JobExecutionContext context) { System.exit(3); }
            }
            """);
        distribution.with("jobs.xml", """
            <job-scheduling-data xmlns="http://www.quartz-scheduler.org/xml/JobSchedulingData" version="2.0">
              <schedule>
                <job><name>exits</name><job-class>Exits</job-class><recover>true</recover></job>
                <trigger><simple><name>once</name><job-name>exits</job-name><repeat-count>0</repeat-count>
                  <repeat-interval>1000</repeat-interval></simple></trigger>
              </schedule>
            </job-scheduling-data>
            """);
        InstanceSpec spec = new InstanceSpec(null, -1, -1, -1, true, -1, 500, -1, Map.of(), "127.0.0.1");
        try (TestingServer server = new TestingServer(spec, true)) {
            distribution.with(
                    "latchkey.properties",
                    "zookeeper.connect=" + server.getConnectString() + "\nshutdown.drain-timeout=10m\n");
            Lines run = Lines.of(distribution.start("run"));
            try {
                run.await(line -> line.contains("Job DEFAULT.exits has called System.exit"));
                assertThat(run.end()).as(run.text()).isZero();
            } finally {
                run.process().destroyForcibly();
            }
            assertThat(Output.of(distribution.conf(), "history", new String[0]).out())
                    .contains("FAILED", "the job called System.exit");
            assertThat(Output.of(distribution.conf(), "running", new String[0]).out())
                    .contains("Nothing runs");
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
                Finished restart = distribution.run("restart");
                assertThat(restart.output()).contains("Stopped", "Joined as ");
                assertThat(restart.code()).as(restart.output()).isZero();
            } finally {
                Finished stop = distribution.run("stop");
                assertThat(stop.output())
                        .contains("hands the lead over", "Stopped")
                        .doesNotContain("ended by itself");
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
    void demoGoesOnWithoutAKilledLeaderAndLeavesNothingBehind() throws Exception {
        shippedConf();
        Lines demo = Lines.of(distribution.start("demo"));
        try {
            String status = demo.await(line -> line.contains("status --conf "));
            Path conf = Path.of(status.substring(status.indexOf("--conf ") + 7));
            demo.await(line -> line.contains(" leads: term 1,"));
            String kill = demo.await(line -> line.contains("kill -9 "));
            demo.await(line -> line.contains("GreetJob") && line.contains("Tick"));
            assertThat(Output.of(conf, "status", new String[0]).out()).containsPattern("term +1, since");
            List<ProcessHandle> children = demo.process().descendants().toList();
            assertThat(children).hasSizeGreaterThanOrEqualTo(4);

            ProcessHandle.of(Long.parseLong(
                            kill.substring(kill.indexOf("-9 ") + 3).strip()))
                    .orElseThrow()
                    .destroyForcibly();

            demo.await(line -> line.contains("is gone (exit code 137)"));
            demo.await(line -> line.contains(" leads: term 2,"));

            demo.process().destroyForcibly();

            await().atMost(PATIENCE).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
            assertThat(conf.getParent()).doesNotExist();
        } finally {
            demo.process().destroyForcibly();
        }
    }

    @Test
    void interruptedDemoEndsInOrderAndLeavesNothingBehind() throws Exception {
        Lines demo = Lines.of(distribution.start("demo"));
        try {
            String status = demo.await(line -> line.contains("status --conf "));
            demo.await(line -> line.contains(" leads: term 1,"));
            List<ProcessHandle> children = demo.process().descendants().toList();

            demo.process().toHandle().destroy();

            assertThat(demo.end()).as(demo.text()).isZero();
            assertThat(demo.text()).contains("Ending all of it");
            assertThat(children).noneMatch(ProcessHandle::isAlive);
            assertThat(Path.of(status.substring(status.indexOf("--conf ") + 7)).getParent())
                    .doesNotExist();
        } finally {
            demo.process().destroyForcibly();
        }
    }
}
