package io.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code validate} on every file of the cases, each with its right answer. */
class ValidateCasesTest {
    private static final Path CASES = Path.of("src/test/resources/cases");

    @TempDir
    Path conf;

    /** Of each file what is found in it, as {@code severity/code@line}. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "xml/A01-header18-plain.xml              | warning/implicit-start@14",
                "xml/A03-many-schedules.xml              |",
                "xml/A04-data-map-override.xml           | warning/overlap@7 warning/overlap@9",
                "xml/A05-expired-window.xml              | warning/never-fires@7",
                "xml/A06-padded-text.xml                 |",
                "xml/A06b-padded-class-only.xml          |",
                "xml/A07-no-namespace.xml                |",
                "xml/A08-no-schema-location.xml          |",
                "xml/A09-legacy-root.xml                 | error/xml@3",
                "xml/A10-wrong-namespace.xml             | error/xml@2",
                "xml/A11-empty-schedule.xml              |",
                "xml/A12-stepped-range-cron.xml          |",
                "xml/A12c-lowercase-day.xml              |",
                "xml/A13-durability-only.xml             |",
                "xml/A14-listener-ref.xml                | warning/ignored@5",
                "xml/A15-trigger-group-missing.xml       | error/no-such-job@7",
                "xml/A16-calendar-interval.xml           |",
                "xml/A17-duplicate-names.xml             | error/duplicate@7 error/duplicate@9",
                "xml/A18-ignore-misfire.xml              |",
                "xml/A19-doctype-entity.xml              | error/xml@2",
                "xml/A20-utf8-bom-nonascii.xml           |",
                "xml/A21-zone-typo.xml                   | error/zone@6",
                "xml/A24-past-one-shot-among-good.xml    | warning/never-fires@7",
                "xml/A25-job-without-trigger.xml         | warning/no-trigger@5",
                "xml/A28-missing-class-among-good.xml    | error/class@6 error/class@7",
                "xml/A29-unix-cron.xml                   | error/cron@6",
                "xml/A30-truncated.xml                   | error/xml@6",
                "xml/A35-repeat-seconds-mistake.xml      | warning/short-interval@6 warning/implicit-start@6",
                "xml/A37-thousand-same-minute.xml        |",
                "scenario/S01-tick.xml                   |",
                "scenario/S02-long-job.xml               |",
                "scenario/S03-misfire-matrix.xml         | warning/implicit-start@11 warning/implicit-start@13"
                        + " warning/implicit-start@15 warning/implicit-start@17 warning/implicit-start@19"
                        + " warning/implicit-start@21",
                "scenario/S04-schedule-before.xml        |",
                "scenario/S04-schedule-after.xml         |",
                "scenario/S05-failing-jobs.xml           |",
                "scenario/connect-strings.tsv            | error/file@-",
                "cron/cron-cases.tsv                     | error/file@-",
                "properties/G01-common-ram.properties    | warning/notice@- warning/notice@-",
                "properties/G03-ram-but-clustered.properties | error/setting@6",
                "properties/G04-jdbc-clustered.properties    | error/setting@5 error/setting@9 error/setting@11",
                "properties/G07-shutdown-hook.properties     | warning/notice@- warning/notice@-",
                "properties/G09-threads-word.properties      | error/setting@3",
                "properties/G09-threads-zero.properties      | error/setting@3",
                "properties/G10-misfire-minus.properties     | error/setting@4",
                "properties/G13-daemon-threads.properties    | warning/notice@-",
                "properties/G16-misspelled-keys.properties   | error/setting@1 error/setting@2 error/setting@3",
                "properties/G19-bom-crlf.properties          | warning/notice@-",
                "properties/G20-unknown-store-property.properties | warning/notice@-",
            })
    void eachFileHasItsAnswer(String file, String found) throws IOException {
        Output output = Output.of(
                conf, "validate", new String[] {"--json", CASES.resolve(file).toString()});

        JsonNode view = new ObjectMapper().readTree(output.out());
        List<String> findings = new ArrayList<>();
        for (JsonNode finding : view.path("findings")) {
            assertThat(finding.path("file").asText()).endsWith(file);
            assertThat(finding.path("message").asText()).isNotBlank();
            findings.add(finding.path("severity").asText() + "/"
                    + finding.path("code").asText() + "@" + finding.path("line").asText("-"));
        }
        assertThat(findings).isEqualTo(found == null ? List.of() : Arrays.asList(found.split(" ")));
        boolean valid = findings.stream().noneMatch(finding -> finding.startsWith("error"));
        assertThat(view.path("valid").asBoolean()).isEqualTo(valid);
        assertThat(output.code()).isEqualTo(valid ? 0 : 1);
    }

    @Test
    void noFileIsLeftOut() throws Exception {
        CsvSource rows = ValidateCasesTest.class
                .getDeclaredMethod("eachFileHasItsAnswer", String.class, String.class)
                .getAnnotation(CsvSource.class);
        List<String> named = Arrays.stream(rows.value())
                .map(row -> row.split("\\|", 2)[0].strip())
                .toList();
        try (Stream<Path> files = Files.walk(CASES)) {
            assertThat(files.filter(Files::isRegularFile)
                            .map(file -> CASES.relativize(file).toString()))
                    .containsExactlyInAnyOrderElementsOf(named);
        }
    }
}
