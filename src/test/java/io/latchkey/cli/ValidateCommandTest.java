package io.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ValidateCommandTest {
    private static final String EMPTY = """
        <job-scheduling-data xmlns="http://www.quartz-scheduler.org/xml/JobSchedulingData" version="2.0">
          <schedule/>
        </job-scheduling-data>
        """;

    private static final String BROKEN = """
        <job-scheduling-data xmlns="http://www.quartz-scheduler.org/xml/JobSchedulingData" version="2.0">
          <schedule>
            <job><name>one</name><job-class>no.such.Job</job-class></job>
            <job><name>two</name><job-class>java.lang.String</job-class></job>
          </schedule>
        </job-scheduling-data>
        """;

    @TempDir
    Path conf;

    @Test
    void soundConfigurationExitsZeroWithItsCounts() throws IOException {
        Files.writeString(conf.resolve("jobs.xml"), EMPTY);

        Output output = Output.of(conf, "validate", new String[0]);

        assertThat(output.out()).contains("OK: 0 jobs, 0 triggers, conf digest ");
        assertThat(output.code()).isZero();
    }

    @Test
    void everyProblemIsPrintedWithItsPlace() throws IOException {
        Files.writeString(conf.resolve("jobs.xml"), BROKEN);

        Output output = Output.of(conf, "validate", new String[0]);

        assertThat(output.out()).contains("jobs.xml:3", "no.such.Job", "jobs.xml:4", "java.lang.String");
        assertThat(output.code()).isEqualTo(1);
    }

    @Test
    void theConsolesFilesAreCheckedAsAtStart() throws IOException {
        Files.writeString(conf.resolve("jobs.xml"), EMPTY);
        Path properties = Files.writeString(conf.resolve("latchkey.properties"), "http.token-file=none\n");
        Output tokens = Output.of(conf, "validate", new String[0]);
        assertThat(tokens.out()).contains("http.token-file", "cannot be read");
        assertThat(tokens.code()).isEqualTo(1);

        Files.writeString(conf.resolve("pass"), "secret-word\n");
        Files.writeString(conf.resolve("store"), "no keystore");
        Files.writeString(properties, "http.keystore=store\nhttp.keystore-password-file=pass\n");
        Output keystore = Output.of(conf, "validate", new String[0]);
        assertThat(keystore.out()).contains("http.keystore", "cannot be used").doesNotContain("secret-word");
        assertThat(keystore.code()).isEqualTo(1);

        Files.writeString(properties, "http.enabled=false\nhttp.token-file=none\n");
        assertThat(Output.of(conf, "validate", new String[0]).code()).isZero();
    }

    @Test
    void filesCanBeNamed() throws IOException {
        Files.writeString(conf.resolve("jobs.xml"), EMPTY);
        Path other = Files.writeString(conf.resolve("other.xml"), BROKEN);

        assertThat(Output.of(conf, "validate", new String[] {other.toString()}).code())
                .isEqualTo(1);
    }

    @Test
    void missingConfigurationDirectoryIsSaid() {
        Output output = Output.of(conf.resolve("nowhere"), "validate", new String[0]);

        assertThat(output.err()).contains("no configuration directory", "nowhere", "--conf DIR");
        assertThat(output.code()).isEqualTo(2);
    }

    @Test
    void classesOfAuthorsNeedNotBeThere() throws IOException {
        Path file = Files.writeString(conf.resolve("jobs.xml"), """
            <job-scheduling-data><schedule>
              <job><name>one</name><job-class>no.such.Job</job-class><durability>true</durability></job>
            </schedule></job-scheduling-data>
            """);

        assertThat(validate(file.toString()).out()).contains("jobs.xml:2:", "[class]", "1 problem");
        Output without = validate("--no-classes", file.toString());
        assertThat(without.out()).contains("OK: 1 job, 0 triggers");
        assertThat(without.code()).isZero();
        assertThat(Output.of(conf, "validate", new String[] {"--no-classes"}).code())
                .isZero();
    }

    @Test
    void warningsSayWhatWillSurpriseAndAreNoFailure() throws IOException {
        Files.writeString(conf.resolve("jobs.xml"), """
            <job-scheduling-data><schedule>
              <job><name>nap</name><job-class>io.latchkey.jobs.NapJob</job-class></job>
              <job><name>greet</name><job-class>io.latchkey.jobs.GreetJob</job-class><recover>true</recover></job>
              <job><name>call</name><job-class>io.latchkey.jobs.SingleHttpJob</job-class>
                <job-data-map><entry><key>url</key><value>http://localhost/</value></entry></job-data-map></job>
              <job><name>sure</name><job-class>io.latchkey.jobs.NapJob</job-class><recover>true</recover>
                <job-data-map><entry><key>latchkey.timeout</key><value>1m</value></entry></job-data-map></job>
            %s
            </schedule></job-scheduling-data>
            """.formatted(cron("a", "nap", "0 30 2 * * ?", "")
                + cron("b", "greet", "0 0 9 ? * 1-5", "")
                + cron("c", "greet", "0 0 0 31 2 ?", "")
                + cron("d", "sure", "0 15 */2 * * ?", "")
                + cron("h", "call", "0 0 9 * * ?", "")
                + cron("e", "greet", "0 * * * * ?", "")
                + cron("f", "sure", "* 0 9 30 * ?", "")
                + cron("g", "sure", "0 0 9 ? * MON", "<end-time>2030-01-01T00:00:00</end-time>")));

        Output output = Output.of(conf, "validate", new String[0]);

        assertThat(output.code()).isZero();
        assertThat(codes())
                .containsExactlyInAnyOrder(
                        "job DEFAULT.nap no-timeout",
                        "trigger DEFAULT.a clock-skips",
                        "trigger DEFAULT.a clock-doubles",
                        "trigger DEFAULT.b weekday-number",
                        "trigger DEFAULT.c never-fires",
                        "trigger DEFAULT.d clock-skips",
                        "trigger DEFAULT.d clock-doubles",
                        "trigger DEFAULT.e overlap",
                        "trigger DEFAULT.f short-interval",
                        "trigger DEFAULT.f short-months");
        assertThat(output.out())
                .contains("1-5 is SUN-THU", "write SUN-THU, or MON-FRI if that is meant", "10 warnings")
                .contains("there is no day that its expression");
    }

    @Test
    void aTimeoutOfAllJobsIsOneForEach() throws IOException {
        Files.writeString(conf.resolve("latchkey.properties"), "jobs.timeout=5m\n");
        Files.writeString(conf.resolve("jobs.xml"), """
            <job-scheduling-data><schedule>
              <job><name>nap</name><job-class>io.latchkey.jobs.NapJob</job-class></job>
              <trigger><cron><name>a</name><job-name>nap</job-name><cron-expression>0 0 * * * ?</cron-expression></cron></trigger>
            </schedule></job-scheduling-data>
            """);

        assertThat(codes()).isEmpty();
    }

    @Test
    void aCrontabIsCheckedAsOne() throws IOException {
        Path file = Files.writeString(conf.resolve("my.crontab"), "0 1 * * * /opt/a\n0 25 * * * /opt/b\n");

        Output output = validate(file.toString());

        assertThat(output.out()).contains("my.crontab:2", "hours field: '25'", "1 problem");
        assertThat(output.code()).isEqualTo(1);
    }

    @Test
    void filesThatAreNoneAreSaidAllAtOnce() {
        assertThat(validate(conf.resolve("no.xml").toString(), conf.toString()).out())
                .contains("no.xml", "there is no such file", "is a directory", "2 problems");
    }

    @Test
    void coloursAreForTerminalsAlone() throws IOException {
        Files.writeString(conf.resolve("jobs.xml"), BROKEN);
        assertThat(Output.of(conf, "validate", new String[0]).out()).doesNotContain("\u001b");

        System.setProperty("latchkey.tty.out", "true");
        try {
            assertThat(Output.of(conf, "validate", new String[0]).out()).contains("\u001b[31merror");
        } finally {
            System.clearProperty("latchkey.tty.out");
        }
    }

    private Output validate(String... arguments) {
        return Output.of(conf, "validate", arguments);
    }

    private List<String> codes() throws IOException {
        List<String> codes = new ArrayList<>();
        new ObjectMapper()
                .readTree(validate("--json").out())
                .path("findings")
                .forEach(finding -> codes.add(finding.path("subject").asText() + " "
                        + finding.path("code").asText()));
        return codes;
    }

    private static String cron(String name, String job, String expression, String more) {
        return "<trigger><cron><name>" + name + "</name><job-name>" + job + "</job-name>" + more + "<cron-expression>"
                + expression + "</cron-expression><time-zone>Europe/Berlin</time-zone></cron></trigger>\n";
    }
}
