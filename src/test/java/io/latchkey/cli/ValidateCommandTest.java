package io.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
