package io.latchkey.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsLoaderTest {
    @TempDir
    Path home;

    private Path conf = Path.of("conf");

    @BeforeEach
    void makeConf() throws IOException {
        conf = Files.createDirectory(home.resolve("conf"));
    }

    @Test
    void absentFileGivesTheDefaults() throws ConfException {
        Settings settings = SettingsLoader.load(conf, Map.of("HOSTNAME", "night.example"), Map.of());

        assertThat(settings.instanceId())
                .isEqualTo("night.example-" + ProcessHandle.current().pid());
        assertThat(settings.zookeeper().embedded()).isTrue();
        assertThat(settings.zookeeper().connect()).isEqualTo(ConnectString.EMBEDDED);
        assertThat(settings.zookeeper().at(ConnectString.parse("h1")).connect()).hasToString("h1:2181");
        assertThat(settings.jobs().files()).containsExactly("jobs.xml", "jobs.d/*.xml");
        assertThat(settings.jobs().timeZone()).isEqualTo(ZoneId.of("UTC"));
        assertThat(settings.jobs().classpath()).containsExactly(home + "/jobs/*.jar");
        assertThat(settings.scheduler()).isEqualTo(SchedulerSettings.defaults());
        assertThat(settings.shutdown().drainTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.paths()).isEqualTo(new Paths(conf, home.resolve("data"), home.resolve("logs")));
        assertThat(settings.quartz()).isEqualTo(QuartzSettings.NONE);
        assertThat(settings.notices()).isEmpty();
    }

    @Test
    void shippedFileHasEveryKeyCommentedOutAtItsDefaultWithAnExplanation() throws Exception {
        List<String> lines = Files.readAllLines(Path.of("conf/latchkey.properties"));

        for (Key key : Key.values()) {
            int line = lines.indexOf("#" + key.key() + "=" + key.defaultText());
            assertThat(line).as(key.key()).isPositive();
            assertThat(lines.get(line - 1)).as("line before " + key.key()).startsWith("# ");
        }
        assertThat(lines).allMatch(line -> line.isEmpty() || line.startsWith("#"));
        assertThat(lines.stream().filter(line -> line.matches("#[a-z].*"))).hasSize(Key.values().length);
    }

    @Test
    void environmentGoesOverTheFileAndTheCommandLineOverBoth() throws Exception {
        write("zookeeper.connect=file:1\nscheduler.threads=2\nscheduler.history=7");

        Settings settings = SettingsLoader.load(
                conf,
                Map.of("LATCHKEY_ZOOKEEPER_CONNECT", "env:1", "LATCHKEY_SCHEDULER_THREADS", "3"),
                Map.of("zookeeper.connect", "line:1"));

        assertThat(settings.zookeeper().connect()).hasToString("line:1");
        assertThat(settings.zookeeper().embedded()).isFalse();
        assertThat(settings.scheduler().threads()).isEqualTo(3);
        assertThat(settings.scheduler().historyPerJob()).isEqualTo(7);
    }

    @Test
    void everyProblemIsInOneReportWithItsPlace() throws IOException {
        write("""
                # a comment
                scheduler.threads = ten
                zookeeper.conect = h1

                zookeeper.session-timeout = 10
                """);

        ConfException refusal = refuse(
                Map.of("LATCHKEY_JOBS_TIMEZONE", "UTC", "LATCHKEY_SHUTDOWN_DRAIN_TIMEOUT", "soon"),
                Map.of("zookeeper.root", "latchkey"));

        String file = conf.resolve("latchkey.properties").toString();
        assertThat(refusal.problems())
                .extracting(Problem::toString)
                .containsExactlyInAnyOrder(
                        file + ":2: scheduler.threads: \"ten\" is not a whole number; write digits only",
                        file + ":3: zookeeper.conect: there is no such key; did you mean \"zookeeper.connect\"?",
                        file + ":5: zookeeper.session-timeout: \"10\" has no unit; write 10s for seconds or 10ms for"
                                + " milliseconds",
                        "environment LATCHKEY_JOBS_TIMEZONE: no setting has this variable; did you mean"
                                + " \"LATCHKEY_JOBS_TIME_ZONE\"?",
                        "environment LATCHKEY_SHUTDOWN_DRAIN_TIMEOUT: shutdown.drain-timeout: \"soon\" is not a"
                                + " duration; write a whole number and a unit, such as 500ms, 10s, 5m, 1h or 2d",
                        "-Dzookeeper.root: \"latchkey\" must start with a slash, such as /latchkey; the"
                                + " default is /latchkey");
        assertThat(refusal).hasMessageStartingWith("6 problems in the configuration:\n  ");
    }

    @Test
    void byteOrderMarkCarriageReturnsContinuationsAndLettersAreRead() throws Exception {
        write("\ufeffinstance.id = Zürich\r\njobs.files = a.xml,\\\r\n    b.xml\r\n!old\r\nscheduler.threads : 4\r\n");

        Settings settings = load();

        assertThat(settings.instanceId()).isEqualTo("Zürich");
        assertThat(settings.jobs().files()).containsExactly("a.xml", "b.xml");
        assertThat(settings.scheduler().threads()).isEqualTo(4);
    }

    @Test
    void linesAfterAContinuationKeepTheirNumbers() throws IOException {
        write("jobs.files = a.xml,\\\n  b.xml,\\\n  c.xml\nscheduler.threads = 0\n");

        assertThat(refuse().problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.place()).endsWith("latchkey.properties:4"));
    }

    @Test
    void keySetTwiceIsAProblemThatNamesBothLines() throws IOException {
        write("scheduler.threads=3\n\nscheduler.threads=3\n");

        assertThat(refuse().problems())
                .singleElement()
                .asString()
                .contains("latchkey.properties:3: scheduler.threads", "first at", "latchkey.properties:1");
    }

    @Test
    void fileInAnotherEncodingIsRefusedWithTheLine() throws IOException {
        Files.write(
                conf.resolve("latchkey.properties"), "\n\ninstance.id=Zürich".getBytes(StandardCharsets.ISO_8859_1));

        assertThat(refuse().problems()).singleElement().asString().contains("latchkey.properties:3", "UTF-8");
    }

    @Test
    void absentDirectoryIsAProblemAndTheRestIsCheckedToo() {
        ConfException refusal = catchThrowableOfType(
                ConfException.class,
                () -> SettingsLoader.load(home.resolve("none"), Map.of(), Map.of("scheduler.threads", "0")));

        assertThat(refusal.problems()).hasSize(2);
        assertThat(refusal).hasMessageContaining("no such configuration directory");
    }

    @Test
    void variablesOfTheLauncherAndOfContainersAreNoSettings() throws ConfException {
        Settings settings = SettingsLoader.load(
                conf,
                Map.of(
                        "LATCHKEY_OPTS", "-Dx",
                        "LATCHKEY_HEAP", "1g",
                        "LATCHKEY_CONF", "/x",
                        "LATCHKEY_HOME", "/opt/other",
                        "LATCHKEY_PORT", "tcp://10.0.0.1:80",
                        "LATCHKEY_SERVICE_HOST", "10.0.0.1",
                        "LATCHKEY_PORT_80_TCP_ADDR", "10.0.0.1",
                        "OTHER", "x"),
                Map.of());

        assertThat(settings.paths().dataDir()).isEqualTo(Path.of("/opt/other/data"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "instance.id= | is empty",
                "instance.id=a/b | holds a slash",
                "instance.id=.. | place in a path",
                "instance.id=a\\u0007b | ZooKeeper refuses",
                "zookeeper.connect= | is empty",
                "zookeeper.connect=h1;h2 | use commas",
                "zookeeper.root=/ | own root",
                "zookeeper.root=/zookeeper/x | name another node",
                "zookeeper.root=/a/ | end with a slash",
                "zookeeper.session-timeout=500ms | between 1s and 10m",
                "zookeeper.ensemble-tracker=yes | neither true nor false",
                "zookeeper.auth-file=nowhere | names no file",
                "zookeeper.client-config=nowhere | names no file",
                "jobs.files=, | names no file",
                "jobs.time-zone=Europe/Berlim | \"Europe/Berlin\"?",
                "scheduler.threads=0 | between 1 and 1000",
                "scheduler.threads=99999999999 | whole number",
                "scheduler.misfire-threshold=-5s | is not a duration",
                "scheduler.misfire-threshold=5 | write 5s for seconds",
                "scheduler.catch-up=wait | neither run nor hold",
                "scheduler.catch-up-rate=0 | between 1 and 10000",
                "scheduler.max-attempts=0 | between 1 and 100",
                "scheduler.running-limit=20000 | between 1 and 10000",
                "scheduler.orphan-retention=1s | between 1m and 365d",
                "shutdown.drain-timeout=2d | between 0s and 1d",
                "data.dir= | is empty",
                "org.quartz.threadPool.threadCount=3 | quartz.properties",
                "scheduler.treads=3 | \"scheduler.threads\"?",
            })
    void badValueIsRefusedWithKeyAndRule(String line, String rule) throws IOException {
        write(line);

        assertThat(refuse().problems())
                .singleElement()
                .asString()
                .contains("latchkey.properties:1: " + line.substring(0, line.indexOf('=')), rule);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 101})
    void instanceIdIsLimitedInBytes(int bytes) throws Exception {
        write("instance.id=" + "é".repeat(bytes / 2) + "x".repeat(bytes % 2));

        if (bytes <= 100) {
            assertThat(load().instanceId()).hasSize(50);
        } else {
            assertThat(refuse()).hasMessageContaining("longer than 100 bytes");
        }
    }

    @Test
    void connectionTimeoutOverTheSessionTimeoutContradictsIt() throws IOException {
        write("zookeeper.session-timeout=4s\nzookeeper.connection-timeout=6s");

        assertThat(refuse().problems())
                .singleElement()
                .asString()
                .contains("latchkey.properties:2", "\"6s\"", "zookeeper.session-timeout=4s", "latchkey.properties:1");
    }

    @Test
    void connectionTimeoutLeftAtItsDefaultGivesWayToAShortSession() throws Exception {
        write("zookeeper.session-timeout=4s");

        assertThat(load().zookeeper().connectionTimeout()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void secretsPutIntoTheWrongPlaceAreNotShown() throws IOException {
        write("zookeeper.auth-file=ops:hunter2\nzookeeper.auth=ops:hunter2\nzookeeper.connect=ops:hunter2@h1");

        ConfException refusal = refuse();

        assertThat(refusal.problems()).hasSize(3);
        assertThat(refusal.getMessage()).doesNotContain("hunter2");
    }

    @Test
    void veryShortMisfireThresholdIsSaid() throws Exception {
        write("scheduler.misfire-threshold=200ms");

        assertThat(load().notices()).singleElement().asString().contains("scheduler.misfire-threshold is 200ms");
    }

    @Test
    void durationsAreShownAsTheyAreWritten() {
        for (String text : List.of("500ms", "10s", "5m", "1h", "2d", "1500ms", "90s")) {
            assertThat(Durations.format(Durations.parse(text))).isEqualTo(text);
        }
        assertThat(Durations.format(Duration.ZERO)).isEqualTo("0s");
    }

    private void write(String text) throws IOException {
        Files.writeString(conf.resolve("latchkey.properties"), text);
    }

    private Settings load() throws ConfException {
        return SettingsLoader.load(conf, Map.of(), Map.of());
    }

    private ConfException refuse() {
        return refuse(Map.of(), Map.of());
    }

    private ConfException refuse(Map<String, String> env, Map<String, String> overrides) {
        return catchThrowableOfType(ConfException.class, () -> SettingsLoader.load(conf, env, overrides));
    }
}
