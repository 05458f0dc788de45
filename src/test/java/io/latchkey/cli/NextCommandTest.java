package io.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.latchkey.conf.SettingsLoader;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.jobs.JobsLoader;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.jobs.Triggers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quartz.spi.OperableTrigger;

class NextCommandTest {
    @TempDir
    Path conf;

    @BeforeEach
    void jobs() throws IOException {
        Files.writeString(conf.resolve("jobs.xml"), """
            <job-scheduling-data><schedule>
              <job><name>nightly</name><group>ops</group><job-class>com.example.nowhere.Nightly</job-class></job>
              <job><name>half</name><group>ops</group><job-class>io.latchkey.jobs.GreetJob</job-class></job>
              <job><name>beat</name><group>ops</group><job-class>io.latchkey.jobs.GreetJob</job-class></job>
              <job><name>idle</name><job-class>io.latchkey.jobs.GreetJob</job-class><durability>true</durability></job>
              <trigger><cron><name>nightly-t</name><group>ops</group><job-name>nightly</job-name><job-group>ops</job-group>
                <cron-expression>0 30 2 * * ?</cron-expression><time-zone>Europe/Berlin</time-zone></cron></trigger>
              <trigger><cron><name>half-t</name><group>ops</group><job-name>half</job-name><job-group>ops</job-group>
                <cron-expression>0 0/30 * * * ?</cron-expression><time-zone>Europe/Berlin</time-zone></cron></trigger>
              <trigger><simple><name>beat-t</name><group>ops</group><job-name>beat</job-name><job-group>ops</job-group>
                <repeat-count>-1</repeat-count><repeat-interval>3600000</repeat-interval></simple></trigger>
            </schedule></job-scheduling-data>
            """);
    }

    @Test
    void timesStandInTheZoneAndInUtcWithTheClockChangeBetweenThem() {
        Output output = next("nightly", "-n", "2", "--from", "2026-10-24");

        assertThat(output.code()).isZero();
        assertThat(output.out().lines().toList())
                .satisfiesExactly(
                        heading -> assertThat(heading).contains("local time", "zone", "UTC", "job", "trigger"),
                        first -> assertThat(first)
                                .contains("Sat 2026-10-24 02:30:00 +02:00", "Europe/Berlin", "2026-10-24T00:30:00Z"),
                        change -> assertThat(change).contains("go back", "+02:00 to +01:00", "2026-10-25T01:00:00Z"),
                        effect -> assertThat(effect).contains("ops.nightly-t", "02:30 comes twice", "one run"),
                        second -> assertThat(second)
                                .contains("Sun 2026-10-25 02:30:00 +01:00", "Europe/Berlin", "2026-10-25T01:30:00Z"));
    }

    @Test
    void aTimeThatTheClocksSkipIsSaidAndNotShown() {
        Output output = next("ops.nightly", "-n", "2", "--from", "2027-03-27T12:00");

        assertThat(output.out())
                .contains("go forward", "2027-03-28T02:30 does not exist", "Mon 2027-03-29 02:30:00 +02:00")
                .doesNotContain("Sun 2027-03-28");
    }

    @Test
    void allJobsStandInTheOrderOfTime() throws IOException {
        JsonNode fires = json("-n", "3", "--from", "2026-10-25T00:10:00Z").path("fires");

        assertThat(fires).hasSize(9);
        List<String> times = new ArrayList<>();
        fires.forEach(fire -> times.add(fire.path("at").asText()));
        assertThat(times).isSorted();
        assertThat(fires.get(0).path("job").asText()).isIn("ops.beat", "ops.half");
    }

    @Test
    void theTimesAreThoseThatRunThroughBothPassesOfTheDoubledHour() throws Exception {
        Instant from = Instant.parse("2026-10-24T23:45:00Z");
        List<Instant> shown = new ArrayList<>();
        json("half", "-n", "12", "--from", from.toString())
                .path("fires")
                .forEach(fire -> shown.add(Instant.parse(fire.path("at").asText())));

        JobCatalog catalog =
                JobsLoader.loadWithoutClasses(SettingsLoader.load(conf, Map.of(), Map.of()), Clock.systemUTC());
        TriggerSpec spec = catalog.triggers().stream()
                .filter(trigger -> trigger.key().getName().equals("half-t"))
                .findFirst()
                .orElseThrow();
        OperableTrigger quartz = Triggers.build(spec, from);
        List<Instant> run = new ArrayList<>();
        for (Date at = quartz.getNextFireTime(); run.size() < 12; at = quartz.getNextFireTime()) {
            run.add(at.toInstant());
            quartz.triggered(null);
        }
        assertThat(shown)
                .isEqualTo(run)
                .contains(Instant.parse("2026-10-25T00:30:00Z"), Instant.parse("2026-10-25T01:30:00Z"));
    }

    @Test
    void aZoneCanBeAskedForAndAStartThatIsNotNamedIsSaid() {
        Output output = next("beat", "-n", "1", "--zone", "Asia/Tokyo");

        assertThat(output.out()).contains("+09:00 *", "Asia/Tokyo", "names no start time");
    }

    @ParameterizedTest
    @CsvSource({
        "2026-10-25,                   2026-10-24T22:00:00Z",
        "2026-10-25T06:00,             2026-10-25T05:00:00Z",
        "2026-10-25 06:00:01,          2026-10-25T05:00:01Z",
        "2026-10-25t06:00,             2026-10-25T05:00:00Z",
        "2026-10-25T06:00Z,            2026-10-25T06:00:00Z",
        "2026-10-25T06:00:00+02:00,    2026-10-25T04:00:00Z",
        "2026-10-25T06:00:00.5+05:30,  2026-10-25T00:30:00.500Z",
        "2026-10-25T06:00[Asia/Tokyo], 2026-10-24T21:00:00Z",
    })
    void timesAreTakenAsPeopleTypeThem(String given, Instant meant) throws IOException {
        assertThat(json("--from", given, "--zone", "Europe/Berlin").path("from").asText())
                .isEqualTo(meant.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nightli               | 1 | did you mean \"nightly\"?",
                "--from yesterday      | 2 | write it like 2026-10-25",
                "--from 2026-13-01     | 2 | no date and time",
                "--zone Europe/Berln   | 2 | did you mean \"Europe/Berlin\"?",
                "-n 0                  | 2 | give a number from 1",
                "-n x                  | 2 | -n",
            })
    void whatMakesNoSenseIsSaid(String given, int code, String words) {
        Output output = next(given.split(" "));

        assertThat(output.err()).contains(words);
        assertThat(output.code()).isEqualTo(code);
    }

    @Test
    void aJobWithoutTriggersIsNoError() {
        Output output = next("idle");

        assertThat(output.out()).contains("DEFAULT.idle has no trigger");
        assertThat(output.code()).isZero();
    }

    private Output next(String... arguments) {
        return Output.of(conf, "next", new String[0], arguments);
    }

    private JsonNode json(String... arguments) throws IOException {
        Output output = Output.of(conf, "next", new String[] {"--json"}, arguments);
        assertThat(output.code()).as(output.err()).isZero();
        return new ObjectMapper().readTree(output.out());
    }
}
