package io.latchkey.jobs;

import static io.latchkey.jobs.Loading.NOW;
import static io.latchkey.jobs.Loading.loadCase;
import static io.latchkey.jobs.Loading.problemsOfCase;
import static org.assertj.core.api.Assertions.assertThat;

import com.example.jobs.PrintJob;
import io.latchkey.conf.ConfException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.quartz.JobKey;
import org.quartz.TriggerKey;
import org.quartz.spi.OperableTrigger;

/** Job files from real use, each with its right answer. */
class XmlCasesTest {
    @Test
    void everyCaseIsTested() throws Exception {
        try (Stream<java.nio.file.Path> files = Files.list(Loading.CASES)) {
            assertThat(files.filter(file -> file.toString().endsWith(".xml")).count())
                    .isEqualTo(29);
        }
    }

    @Test
    void a01OldHeaderWithDeleteCommandsAndNoGroups() throws Exception {
        JobCatalog catalog = loadCase("A01");

        assertThat(catalog.jobs()).extracting(JobSpec::key).containsExactly(new JobKey("poll", "DEFAULT"));
        TriggerSpec trigger = catalog.triggers().get(0);
        assertThat(trigger.schedule()).isEqualTo(Schedule.Simple.every(Duration.ofMinutes(5)));
        assertThat(catalog.warnings()).isEmpty();
    }

    @Test
    void a03SeveralScheduleBlocks() throws Exception {
        JobCatalog catalog = loadCase("A03");

        assertThat(catalog.jobs()).hasSize(3);
        assertThat(firstFire(catalog, "sense")).isEqualTo("2026-11-30T08:00:15Z");
        assertThat(firstFire(catalog, "clean")).isEqualTo("2026-12-02T00:00:00Z");
        assertThat(firstFire(catalog, "purge")).isEqualTo("2026-11-30T21:30:00Z");
    }

    @Test
    void a03TimesAreInTheZoneOfTheService() throws Exception {
        JobCatalog catalog = Loading.load(Loading.CASES, ZoneId.of("America/New_York"), "A03-many-schedules.xml");

        assertThat(firstFire(catalog, "purge")).isEqualTo("2026-12-01T02:30:00Z");
    }

    @Test
    void a04TriggerDataOverridesJobDataAndFiveRepeatsAreSixRuns() throws Exception {
        JobCatalog catalog = loadCase("A04");
        TriggerSpec cron =
                catalog.trigger(new TriggerKey("mail-each-minute", "ops")).orElseThrow();
        TriggerSpec simple = catalog.trigger(new TriggerKey("mail-6x", "ops")).orElseThrow();

        JobSpec job = catalog.jobs().get(0);
        assertThat(job.data())
                .containsExactly(java.util.Map.entry("region", "north"), java.util.Map.entry("limit", "10"));
        assertThat(job.recover()).isTrue();
        assertThat(cron.data()).containsExactly(java.util.Map.entry("region", "south"));
        assertThat(simple.data()).isEmpty();
        assertThat(simple.misfire()).isEqualTo(Misfire.ONCE);
        assertThat(fires(Triggers.build(simple, NOW), 10)).hasSize(6).startsWith(NOW);
    }

    @Test
    void a05EndedWindowNeverRunsAndIsSaidOnce() throws Exception {
        JobCatalog catalog = loadCase("A05");

        TriggerSpec old = catalog.trigger(new TriggerKey("old-t", "ops")).orElseThrow();
        assertThat(old.firstFire(NOW)).isEmpty();
        assertThat(Triggers.build(old, NOW).getNextFireTime()).isNull();
        assertThat(firstFire(catalog, "live-t")).isEqualTo("2026-11-29T12:34:00Z");
        assertThat(catalog.warnings()).singleElement().asString().contains("ops.old-t", "2012");
    }

    @Test
    void a06PaddedTextIsTrimmed() throws Exception {
        for (String name : List.of("A06", "A06b")) {
            JobCatalog catalog = loadCase(name);

            JobSpec job = catalog.job(new JobKey("pack", "ops")).orElseThrow();
            assertThat(job.type()).isEqualTo(PrintJob.class);
            assertThat(job.data()).containsEntry("paths", "/data/a,\n        /data/b");
            assertThat(firstFire(catalog, "pack-t")).isEqualTo("2026-11-29T15:30:00Z");
        }
    }

    @Test
    void a07NoNamespaceIsAccepted() throws Exception {
        assertThat(loadCase("A07").jobs().get(0).data()).containsEntry("p", "42");
    }

    @Test
    void a08NoSchemaLocationIsAccepted() throws Exception {
        JobCatalog catalog = loadCase("A08");

        assertThat(catalog.job(new JobKey("report", "finance"))).isPresent();
        assertThat(firstFire(catalog, "report-t")).isEqualTo("2026-11-30T06:00:00Z");
    }

    @Test
    void a09OldRootIsRefusedWithFoundAndWanted() {
        assertThat(problemsOfCase("A09"))
                .contains("A09-legacy-root.xml:3:", "<quartz>", "opensymphony.com", "wanted <job-scheduling-data>");
    }

    @Test
    void a10WrongNamespaceIsRefusedWithFoundAndWanted() {
        assertThat(problemsOfCase("A10"))
                .contains("A10-wrong-namespace.xml:2:", "https://example.org/schemas", XmlFile.NAMESPACE);
    }

    @Test
    void a11EmptyScheduleIsValid() throws Exception {
        assertThat(loadCase("A11").jobs()).isEmpty();
    }

    @Test
    void a12CronsThatTheSchemaRefusesLoad() throws Exception {
        assertThat(firstFire(loadCase("A12"), "win-t")).isEqualTo("2026-11-30T02:35:00Z");
        assertThat(firstFire(loadCase("A12c"), "win-t")).isEqualTo("2026-11-30T09:00:00Z");
    }

    @Test
    void a13DurabilityWithoutRecoverLoads() throws Exception {
        JobSpec job = loadCase("A13").jobs().get(0);

        assertThat(job.durable()).isTrue();
        assertThat(job.recover()).isFalse();
    }

    @Test
    void a14OldElementIsAcceptedWithOneWarning() throws Exception {
        assertThat(loadCase("A14").warnings())
                .singleElement()
                .asString()
                .contains("A14-listener-ref.xml:5:", "<job-listener-ref>", "audit", "ignored");
    }

    @Test
    void a15OneBadEntryRefusesAllAndTheOtherGroupIsOffered() {
        assertThat(problemsOfCase("A15"))
                .contains("1 problem", ":7:", "trigger billing.sum-t", "no job DEFAULT.sum", "billing.sum");
    }

    @Test
    void a16MonthEndsDoNotDrift() throws Exception {
        TriggerSpec monthly = loadCase("A16").triggers().get(0);

        assertThat(fires(Triggers.build(monthly, NOW), 4))
                .containsExactly(
                        Instant.parse("2027-01-31T09:00:00Z"),
                        Instant.parse("2027-02-28T09:00:00Z"),
                        Instant.parse("2027-03-31T09:00:00Z"),
                        Instant.parse("2027-04-30T09:00:00Z"));
    }

    @Test
    void a17DuplicatesAreRefusedWithBothPlaces() {
        assertThat(problemsOfCase("A17"))
                .contains("2 problems", "7:3: job ops.twin", "A17-duplicate-names.xml:6:3")
                .contains("trigger ops.twin-t", "9:12: trigger", "A17-duplicate-names.xml:8:12");
    }

    @Test
    void a18IgnoringMisfiresIsAll() throws Exception {
        assertThat(loadCase("A18").triggers()).extracting(TriggerSpec::misfire).containsExactly(Misfire.ALL);
    }

    @Test
    void a19DocumentTypeIsRefused() {
        assertThat(problemsOfCase("A19")).contains("1 problem", "A19-doctype-entity.xml:2:", "DOCTYPE");
    }

    @Test
    void a20ByteOrderMarkAndOtherScriptsLoad() throws Exception {
        JobSpec job = loadCase("A20").jobs().get(0);

        assertThat(job.key()).isEqualTo(new JobKey("对账", "Zürich"));
        assertThat(job.description()).isEqualTo("nightly – €");
    }

    @Test
    void a21MisspelledZoneIsRefusedAndTheRightOneOffered() {
        assertThat(problemsOfCase("A21"))
                .contains("A21-zone-typo.xml:6:", "trigger ops.zoned-t", "\"Europe/Berln\"", "\"Europe/Berlin\"?");
    }

    @Test
    void a24PastOneShotIsSkippedAndTheRestLoads() throws Exception {
        JobCatalog catalog = loadCase("A24");

        assertThat(catalog.trigger(new TriggerKey("done-t", "ops"))
                        .orElseThrow()
                        .firstFire(NOW))
                .isEmpty();
        assertThat(firstFire(catalog, "fine-t")).isEqualTo("2026-11-29T12:34:00Z");
        assertThat(catalog.warnings()).singleElement().asString().contains("ops.done-t", "passed");
    }

    @Test
    void a25JobWithoutTriggerIsSaid() throws Exception {
        JobCatalog catalog = loadCase("A25");

        assertThat(catalog.jobs()).hasSize(3);
        assertThat(catalog.warnings()).singleElement().asString().contains("job ops.idle", "no trigger");
    }

    @Test
    void a28EveryBadEntryIsListedWithItsKey() {
        assertThat(problemsOfCase("A28"))
                .contains("2 problems")
                .contains("job ops.gone", "no class com.example.jobs.RemovedJob")
                .contains("job ops.notjob", "java.lang.String is no job")
                .doesNotContain("trigger ops.");
    }

    @Test
    void a29FiveFieldsAreRefusedAndTheQuartzFormOffered() {
        assertThat(problemsOfCase("A29")).contains(":6:", "trigger ops.unix-t", "6 or 7", "0 */5 * * * ?");
    }

    @Test
    void a30TruncatedIsRefusedWithItsLine() {
        assertThat(problemsOfCase("A30")).contains("A30-truncated.xml:6:", "not well-formed XML");
    }

    @Test
    void a35ShortIntervalRunsAsWrittenWithAWarning() throws Exception {
        JobCatalog catalog = loadCase("A35");

        assertThat(catalog.triggers().get(0).schedule()).isEqualTo(Schedule.Simple.every(Duration.ofMillis(300)));
        assertThat(catalog.warnings()).singleElement().asString().contains("ops.fast-t", "300 ms", "300000");
    }

    @Test
    void a37ThousandJobsLoadInUnderTwoSeconds() throws ConfException {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            long start = System.nanoTime();
            assertThat(loadCase("A37").triggers()).hasSize(1000);
            best = Math.min(best, System.nanoTime() - start);
        }
        assertThat(Duration.ofNanos(best)).isLessThan(Duration.ofSeconds(2));
    }

    private static String firstFire(JobCatalog catalog, String trigger) {
        return catalog.triggers().stream()
                .filter(spec -> spec.key().getName().equals(trigger))
                .findFirst()
                .orElseThrow()
                .firstFire(NOW)
                .orElseThrow()
                .toString();
    }

    private static List<Instant> fires(OperableTrigger trigger, int most) {
        return TimeTableTest.fires(trigger, most);
    }
}
