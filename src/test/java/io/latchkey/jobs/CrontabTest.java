package io.latchkey.jobs;

import static io.latchkey.jobs.Loading.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.conf.ConfException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A crontab as people have them, dropped into the configuration directory. */
class CrontabTest {
    @TempDir
    Path conf;

    @Test
    void eachLineIsAShellJobDueAsCronHasIt() throws ConfException {
        JobCatalog catalog = load("""
            # m h  dom mon dow   command
            SHELL=/bin/sh
            */15 * * * *   /opt/bin/poll --fast
            30 2 * * 1-5\t/opt/bin/report.sh > /tmp/out 2>&1
            @daily   cd /srv/app && FOO=bar ./cleanup.sh  x
            """);

        assertThat(catalog.jobs()).extracting(job -> job.key().getGroup()).containsOnly("crontab");
        assertThat(catalog.jobs()).extracting(job -> job.type().getSimpleName()).containsOnly("ShellJob");
        assertThat(catalog.jobs())
                .extracting(job -> job.key().getName().replaceAll("-[0-9a-f]{6}$", ""))
                .containsExactly("poll", "report.sh", "cleanup.sh-x");
        assertThat(catalog.jobs())
                .extracting(job -> job.data().get("command"))
                .containsExactly(
                        "/opt/bin/poll --fast",
                        "/opt/bin/report.sh > /tmp/out 2>&1",
                        "cd /srv/app && FOO=bar ./cleanup.sh  x");
        assertThat(firstFires(catalog))
                .containsExactly("2026-11-29T12:45:00Z", "2026-11-30T02:30:00Z", "2026-11-30T00:00:00Z");
        assertThat(catalog.warnings()).isEmpty();
    }

    @Test
    void cronTzIsTheZoneOfTheLinesBelowAndDaysMatchEither() throws ConfException {
        JobCatalog catalog = load("""
            0 6 * * * one
            CRON_TZ=America/New_York
            0 6 * * * two
            CRON_TZ="Asia/Tokyo"
            0 6 13 * fri three
            """);

        assertThat(firstFires(catalog))
                .containsExactly("2026-11-30T06:00:00Z", "2026-11-30T11:00:00Z", "2026-12-03T21:00:00Z");
        assertThat(catalog.warnings()).singleElement().asString().contains("crontab:5", "both day fields");
    }

    @Test
    void variablesHoldForTheLinesBelow() throws ConfException {
        JobCatalog catalog = load("""
            0 1 * * * one
            PATH = /opt/bin:/usr/bin
             "GREETING"='  two words '
            HOME=/srv
            0 1 * * * two
            GREETING=
            SHELL=/bin/bash
            0 1 * * * three
            """);

        assertThat(catalog.jobs().get(0).data()).doesNotContainKey("environment.PATH");
        assertThat(catalog.jobs().get(1).data())
                .containsEntry("environment.PATH", "/opt/bin:/usr/bin")
                .containsEntry("environment.GREETING", "  two words ")
                .containsEntry("directory", "/srv")
                .containsEntry("command", "two");
        assertThat(catalog.jobs().get(2).data())
                .containsEntry("environment.GREETING", "")
                .containsEntry("argument.0", "/bin/bash")
                .containsEntry("argument.1", "-c")
                .containsEntry("argument.2", "three");
    }

    @Test
    void whatHasNoMeaningHereIsSaidOfEachVariable() throws ConfException {
        JobCatalog catalog = load("""
            MAILTO=ops@example.org
            MAILTO=""
            TZ=Asia/Tokyo
            PATH=$PATH:/opt/bin
            RANDOM_DELAY=30
            0 1 * * * one
            """);

        assertThat(catalog.warnings())
                .extracting(problem -> problem.toString().replace(conf + "/", ""))
                .satisfiesExactly(
                        mail -> assertThat(mail).contains("crontab:1", "no mail", "on-failure"),
                        zone -> assertThat(zone).contains("crontab:3", "CRON_TZ=Asia/Tokyo"),
                        path -> assertThat(path).contains("crontab:4", "$", "expanded"),
                        delay -> assertThat(delay).contains("crontab:5", "no effect"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "0 24 * * * x            | hours field: '24' is not between 0 and 23; midnight is hour 0",
                "0 0 31 feb-foo * x      | month field: 'FOO' is no value",
                "* * * * *               | no command follows the schedule",
                "@reboot x               | instances come and go",
                "@dayly x                | @daily",
                "hello                   | neither NAME=value nor five fields and a command",
                "0 0 12 * * ? x          | six fields, as Quartz's crons do",
                "0 0 9 ? * MON-FRI x     | six fields, as Quartz's crons do",
                "17 * * * * root run-parts /etc/cron.hourly | \"root\" looks like a user",
                "@daily www-data php x   | \"www-data\" looks like a user",
                "5 4 * * * deploy /srv/x | \"deploy\" looks like a user",
                "* * * * * /opt/x \\     | cannot be continued",
                "CRON_TZ=Europe/Berln    | did you mean \"Europe/Berlin\"?",
                "0~30 * * * * x          | the same on all instances",
            })
    void slipIsCalledByItsName(String line, String words) {
        assertThat(problems("# first\n" + line + "\n")).contains("1 problem", "crontab:2: ", words);
    }

    @ParameterizedTest
    @CsvSource({"git pull", "monitor 1", "mail -s x root", "sunrise", "backup", "bash /root/x", "friends list"})
    void commandThatIsNoUserIsACommand(String command) throws ConfException {
        assertThat(load("0 1 * * * " + command).jobs().get(0).data()).containsEntry("command", command);
    }

    @Test
    void systemCrontabIsKnownByItsHeading() {
        assertThat(problems("""
            # m h dom mon dow user  command
            17 *	* * *	alice    /opt/x
            """))
                .contains("crontab:2", "\"alice\" looks like a user", "all commands run as the service's user");
    }

    @Test
    void allThatIsWrongIsToldAtOnce() {
        assertThat(problems("60 * * * * a\n\n0 0 0 * * b\n# latchkey: nam=c\n* * * * * c\n# latchkey: name=d\n"))
                .contains("4 problems", "crontab:1: ", "crontab:3: ", "crontab:4: ", "\"name\"?", "crontab:6: ");
    }

    @Test
    void commentAboveALineNamesItAndSetsItsOptions() throws ConfException {
        JobCatalog catalog = load("""
            # latchkey: name=backup recover=true timeout=1h
            #latchkey: on-failure="logger -t backup failed" misfire=nothing concurrent=false
            # any other comment
            30 2 * * * /opt/bin/backup
            0 3 * * * /opt/bin/other
            """);

        JobSpec backup = catalog.jobs().get(0);
        assertThat(backup.key()).hasToString("crontab.backup");
        assertThat(backup.recover()).isTrue();
        assertThat(backup.nonConcurrent()).isTrue();
        assertThat(backup.data())
                .containsEntry("latchkey.timeout", "1h")
                .containsEntry("latchkey.on-failure", "logger -t backup failed");
        assertThat(catalog.triggers().get(0).misfire()).isEqualTo(Misfire.NOTHING);
        JobSpec other = catalog.jobs().get(1);
        assertThat(other.key().getName()).startsWith("other-");
        assertThat(other.recover()).isFalse();
        assertThat(other.nonConcurrent()).isFalse();
    }

    @Test
    void namesDoNotDependOnWhereALineStands() throws ConfException {
        List<String> before = keys(load("0 1 * * * /opt/a\n0 2 * * * /opt/b\n"));
        List<String> after = keys(load("# more\nX=1\n\n30 5 * * * /opt/new\n0 2 * * * /opt/b\n0 1 * * * /opt/a\n"));

        assertThat(after).containsAll(before);
    }

    @Test
    void linesOfOneCommandAreTriggersOfOneJob() throws ConfException {
        JobCatalog catalog = load("0 8-18 * * 1-5 /opt/a\n0 12 * * 6,0 /opt/a\n");

        assertThat(catalog.jobs()).hasSize(1);
        assertThat(catalog.triggers()).hasSize(2);
    }

    @Test
    void oneCommandWithOtherVariablesIsAnotherJob() throws ConfException {
        List<String> keys = keys(load("REGION=north\n0 1 * * * /opt/a\nREGION=south\n0 1 * * * /opt/a\n"));

        assertThat(keys).hasSize(4).doesNotHaveDuplicates();
    }

    @Test
    void whatCronWouldRunTwiceAndNamesGivenTwiceAreRefusedWithBothPlaces() {
        assertThat(problems(
                        "0 1 * * * a\n0  1 * * *  a\n# latchkey: name=b\n@hourly b\n# latchkey: name=b\n@daily c\n"))
                .contains("2 problems", "crontab:2: ", "the same line is already at", "crontab:1")
                .contains("crontab:6: ", "the name is already given at");
    }

    @Test
    void percentEndsTheCommandAndTheRestIsItsInput() throws ConfException, IOException, InterruptedException {
        JobCatalog catalog = load("0 1 * * * cat; date +\\%Y >/dev/null; exit 3%first%sec\\%ond\n");

        Map<String, @Nullable String> data = catalog.jobs().get(0).data();
        List<String> words = new ArrayList<>();
        for (int i = 0; data.containsKey("argument." + i); i++) {
            words.add(String.valueOf(data.get("argument." + i)));
        }
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("first\nsec%ond\n");
        assertThat(process.waitFor()).isEqualTo(3);
        assertThat(words).contains("cat; date +%Y >/dev/null; exit 3");
    }

    @Test
    void byteOrderMarkAndForeignLineEndsDoNoHarm() throws ConfException {
        JobCatalog catalog = load("\ufeff0 1 * * * /opt/a\r\n@daily  /opt/grüße\r\n");

        assertThat(catalog.jobs()).extracting(job -> job.data().get("command")).containsExactly("/opt/a", "/opt/grüße");
    }

    @Test
    void fixedTimeRunsOnceInTheHourThatComesTwice() throws ConfException {
        JobCatalog catalog = load("CRON_TZ=Europe/Berlin\n30 2 * * * once\n30 * * * * rhythm\n");

        Instant from = Instant.parse("2026-10-24T22:00:00Z");
        Instant to = Instant.parse("2026-10-25T02:59:59Z");
        assertThat(catalog.triggers())
                .extracting(trigger -> trigger.schedule().count(from, to, from))
                .containsExactly(1L, 5L);
        assertThat(catalog.warnings()).extracting(Object::toString).anyMatch(said -> said.contains("crontab:2"));
    }

    @Test
    void itCountsIntoTheDigestAndStandsBesideJobFiles() throws ConfException {
        String before = load("0 1 * * * a").digest();
        Loading.write(conf.resolve("jobs.xml"), "<job-scheduling-data><schedule/></job-scheduling-data>");
        JobCatalog both = load("0 2 * * * a");

        assertThat(both.digest()).isNotEqualTo(before);
        assertThat(both.jobs()).hasSize(1);
    }

    @Test
    void whoHasItAloneIsNotToldThatThereIsNoJobsXml() throws ConfException {
        Loading.write(conf.resolve("crontab"), "0 1 * * * a");

        assertThat(Loading.load(conf, ZoneOffset.UTC, "jobs.xml", "jobs.d/*.xml")
                        .warnings())
                .isEmpty();
    }

    @Test
    void moreCrontabsCanBeNamedAsJobFiles() throws ConfException {
        Loading.write(conf.resolve("jobs.d/ops.crontab"), "0 1 * * * a");

        assertThat(Loading.load(conf, ZoneOffset.UTC, "jobs.d/*").jobs()).hasSize(1);
    }

    private JobCatalog load(String crontab) throws ConfException {
        Loading.write(conf.resolve("crontab"), crontab);
        return Files.exists(conf.resolve("jobs.xml"))
                ? Loading.load(conf, ZoneId.of("UTC"), "jobs.xml")
                : Loading.load(conf, ZoneId.of("UTC"));
    }

    private String problems(String crontab) {
        try {
            return "loaded: " + load(crontab);
        } catch (ConfException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static List<String> firstFires(JobCatalog catalog) {
        return catalog.triggers().stream()
                .map(trigger -> trigger.firstFire(NOW).orElseThrow().toString())
                .toList();
    }

    private static List<String> keys(JobCatalog catalog) {
        return Stream.concat(
                        catalog.jobs().stream().map(job -> "job " + job.key()),
                        catalog.triggers().stream().map(trigger -> "trigger " + trigger.key()))
                .collect(Collectors.toList());
    }
}
