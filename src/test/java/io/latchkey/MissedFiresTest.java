package io.latchkey;

import static io.latchkey.Scene.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.example.jobs.PrintJob;
import com.example.jobs.StampJob;
import com.example.jobs.StampJob.Stamp;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.HistoryEntry;
import io.latchkey.ledger.Outcome.Kind;
import io.latchkey.ledger.PlantedLedger;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of fires that came due while nobody led. Gaps are planted: cursors as a leader left them that long ago. */
@Tag("slow")
class MissedFiresTest {
    private static final Duration SLOT = Duration.ofSeconds(10);
    private static final String ONCE = "MISFIRE_INSTRUCTION_FIRE_ONCE_NOW";

    @TempDir
    private Path dir;

    @BeforeEach
    void forgetEarlierRuns() {
        PrintJob.RUNS.clear();
    }

    /** The matrix of the case file, and the instruction to run all, which Quartz's own schema does not know. */
    private static String matrix() throws Exception {
        String all = "<misfire-instruction>MISFIRE_INSTRUCTION_IGNORE_MISFIRE_POLICY</misfire-instruction>";
        String nothing = "<misfire-instruction>MISFIRE_INSTRUCTION_DO_NOTHING</misfire-instruction>";
        String day = "<repeat-interval>10</repeat-interval><repeat-interval-unit>SECOND</repeat-interval-unit>";
        return Scene.caseFile("S03-misfire-matrix.xml")
                .replace(
                        " </schedule>",
                        more("cron-ignore", "cron", all + "<cron-expression>0/10 * * * * ?</cron-expression>")
                                + more(
                                        "ever-ignore",
                                        "simple",
                                        all + "<repeat-count>-1</repeat-count><repeat-interval>10000</repeat-interval>")
                                + more("calendar-ignore", "calendar-interval", all + day)
                                + more("calendar-smart", "calendar-interval", day)
                                + more("calendar-nothing", "calendar-interval", nothing + day)
                                + " </schedule>");
    }

    private static String more(String name, String kind, String rest) {
        return """
            <job><name>%1$s</name><group>ops</group><job-class>com.example.jobs.PrintJob</job-class></job>
            <trigger><%2$s><name>%1$s-t</name><group>ops</group><job-name>%1$s</job-name><job-group>ops</job-group>%3$s</%2$s></trigger>
            """.formatted(name, kind, rest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT35S", "PT35M"})
    void theInstructionAloneDecidesHoweverLongTheGap(Duration gap) throws Exception {
        Path conf = Scene.confWith(dir, matrix());
        Instant gone = Instant.now().minus(gap).truncatedTo(ChronoUnit.MILLIS);
        Instant seen = gone.minusSeconds(3);
        try (Scene scene = new Scene()) {
            scene.planted().leftAt(Scene.catalog(conf), seen, gone);
            // One thread, so that runs start in the order they were claimed in.
            scene.lead(
                    conf, "a", "scheduler.threads=1", "scheduler.catch-up-limit=5000", "scheduler.catch-up-rate=10000");
            Instant loaded = Instant.now();
            // All that was missed has run once an ordinary slot of everything that goes on has.
            for (String on : List.of("cron-smart", "ever-smart", "cron-ignore", "ever-ignore", "calendar-ignore")) {
                patiently()
                        .until(() -> runs(on).stream()
                                .anyMatch(run -> run.scheduled().isAfter(loaded)));
            }

            Map<String, List<PrintJob.Run>> caughtUp = PrintJob.RUNS.stream()
                    .filter(PrintJob.Run::catchUp)
                    .collect(Collectors.groupingBy(run -> run.job().replace("ops.", "")));
            for (String nothing :
                    List.of("cron-nothing", "ever-next-remaining", "five-next-remaining", "calendar-nothing")) {
                assertThat(caughtUp).doesNotContainKey(nothing);
                assertThat(scene.outcomes(nothing, Kind.SKIPPED)).isPositive();
            }
            for (String once : List.of(
                    "cron-smart",
                    "cron-once",
                    "ever-smart",
                    "ever-now-existing",
                    "five-smart",
                    "five-now-existing",
                    "calendar-smart")) {
                assertThat(caughtUp.getOrDefault(once, List.of())).as(once).hasSize(1);
                assertIsTheLatestOfTheMissed(
                        scene,
                        conf,
                        once,
                        seen,
                        gone,
                        caughtUp.getOrDefault(once, List.of()).get(0));
            }
            for (String all : List.of("cron-ignore", "ever-ignore", "calendar-ignore")) {
                List<Instant> slots =
                        runs(all).stream().map(PrintJob.Run::scheduled).toList();
                Instant first = firstMissed(conf, all, seen, gone);
                assertThat(slots)
                        .as(all)
                        .isEqualTo(Stream.iterate(first, slot -> slot.plus(SLOT))
                                .limit(slots.size())
                                .toList());
                // The last of them may have been within the threshold: late, not missed.
                int missed = slotsUpTo(first, loaded);
                assertThat(caughtUp.getOrDefault(all, List.of()).size()).as(all).isBetween(missed - 1, missed);
                assertThat(scene.outcomes(all, Kind.SKIPPED)).isZero();
            }
            assertThat(PrintJob.RUNS.stream().map(run -> run.trigger() + "@" + run.scheduled()))
                    .doesNotHaveDuplicates();
        }
    }

    private static Instant firstMissed(Path conf, String job, Instant seen, Instant gone) throws Exception {
        return Objects.requireNonNull(PlantedLedger.leftAt(Scene.trigger(conf, job + "-t"), seen, gone)
                .next());
    }

    private static int slotsUpTo(Instant first, Instant last) {
        return (int) (Duration.between(first, last).toMillis() / SLOT.toMillis()) + 1;
    }

    private static void assertIsTheLatestOfTheMissed(
            Scene scene, Path conf, String job, Instant seen, Instant gone, PrintJob.Run run) throws Exception {
        Instant first = firstMissed(conf, job, seen, gone);
        long missed = slotsUpTo(first, run.scheduled());
        assertThat(run.missed()).as(job).isEqualTo(missed);
        assertThat(scene.outcomes(job, Kind.SKIPPED)).as(job).isEqualTo(missed - 1);
        // It was the latest: what follows are ordinary runs, of the slot after it or, where the repeats that were
        // missed come
        // later, of the slots from now on.
        List<Instant> slots = runs(job).stream().map(PrintJob.Run::scheduled).toList();
        assertThat(slots.get(0)).as(job).isEqualTo(run.scheduled());
        Instant next = job.equals("five-now-existing") && slots.size() > 1
                ? slots.get(1)
                : run.scheduled().plus(SLOT);
        assertThat(Duration.between(run.scheduled(), next).toMillis() % SLOT.toMillis())
                .as(job)
                .isZero();
        assertThat(slots.subList(1, slots.size()))
                .as(job)
                .isEqualTo(Stream.iterate(next, slot -> slot.plus(SLOT))
                        .limit(slots.size() - 1)
                        .toList());
    }

    private static List<PrintJob.Run> runs(String job) {
        return PrintJob.RUNS.stream()
                .filter(run -> run.job().equals("ops." + job))
                .toList();
    }

    @Test
    void aSmallReplayLimitKeepsTheNewestAndRecordsTheRest() throws Exception {
        Path conf = Scene.confWith(dir, matrix());
        Instant gone = Instant.now().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MILLIS);
        try (Scene scene = new Scene();
                io.latchkey.testing.LogCapture logs = io.latchkey.testing.LogCapture.of("io.latchkey.scheduler")) {
            scene.planted().leftAt(Scene.catalog(conf), gone.minusSeconds(3), gone);
            scene.lead(conf, "a", "scheduler.threads=1", "scheduler.catch-up-limit=7", "scheduler.catch-up-rate=5");
            patiently().until(() -> runs("cron-ignore").size() >= 8);
            // Three triggers replay at once; the rate is theirs together. Half of what it comes to, for a slow machine.
            List<Instant> replayed = PrintJob.RUNS.stream()
                    .filter(run -> run.catchUp() && run.job().endsWith("-ignore"))
                    .map(PrintJob.Run::started)
                    .sorted()
                    .toList();
            assertThat(Duration.between(replayed.get(0), replayed.get(replayed.size() - 1)))
                    .isGreaterThan(Duration.ofMillis(100L * replayed.size()));
            assertThat(logs.messages())
                    .anyMatch(line -> line.contains("Trigger ops.cron-ignore-t of job ops.cron-ignore: ")
                            && line.contains("are skipped (missed; beyond the limit of 7 replays)"));
            // The last of the seven may have been within the threshold: late, not missed.
            assertThat(runs("cron-ignore").stream()
                            .filter(PrintJob.Run::catchUp)
                            .count())
                    .isBetween(6L, 7L);
            // The longer the start took, the more were missed.
            assertThat(scene.outcomes("cron-ignore", Kind.SKIPPED))
                    .isBetween(352L, Duration.between(gone, Instant.now()).dividedBy(SLOT) - 6);
        }
    }

    /** Due at 10:00:00, the leader stopped at 09:59:57, the successor is there at 10:00:00.7. */
    @Test
    void whatCameDueDuringARestartRunsOnceUnderItsOwnTime() throws Exception {
        Instant due = latest("10:00:00");
        assertRunsOnce("10", due, due.minusSeconds(3), due.plusMillis(700));
    }

    /** Killed at 01:59:58 with 02:00:00 due, takeover at 02:00:10: beyond the threshold, so that the instruction decides. */
    @Test
    void whatCameDueBeforeATakeoverRunsOnceUnderItsOwnTime() throws Exception {
        Instant due = latest("02:00:00");
        assertRunsOnce("2", due, due.minusSeconds(2), due.plusSeconds(10));
    }

    private static Instant latest(String time) {
        Instant now = Instant.now();
        Instant today = now.atZone(ZoneOffset.UTC).with(LocalTime.parse(time)).toInstant();
        // A minute of room: the instance's clock must not be ahead of the one Quartz reads.
        return today.plusSeconds(60).isAfter(now) ? today.minus(1, ChronoUnit.DAYS) : today;
    }

    private void assertRunsOnce(String hour, Instant due, Instant gone, Instant takeover) throws Exception {
        String log = "daily-" + hour;
        Path conf = ServiceInstance.conf(
                dir,
                ServiceInstance.stampJob("daily", log, ServiceInstance.cron("daily", ONCE, "0 0 " + hour + " * * ?")));
        try (Scene scene = new Scene()) {
            scene.planted().leftAt(Scene.catalog(conf), gone.minus(Duration.ofDays(9)), gone);
            scene.lead(conf, "a", ShiftedClock.showing(takeover).time());
            patiently().until(() -> scene.outcomes("daily", Kind.SUCCEEDED) == 1);
            assertThat(StampJob.of(log))
                    .singleElement()
                    .satisfies(run -> assertThat(run.scheduled()).isEqualTo(due));
            assertThat(scene.cursor("daily-t").next()).isEqualTo(due.plus(1, ChronoUnit.DAYS));
            assertThat(scene.outcomes("daily", Kind.SKIPPED)).isZero();
        }
    }

    @Test
    void aStandbyThatWaitedThreeHoursRunsNothingThatWasNotMissed() throws Exception {
        String log = "hourly";
        Instant now = Instant.now();
        LocalTime half = now.atZone(ZoneOffset.UTC).toLocalTime().plusMinutes(30);
        Path conf = ServiceInstance.conf(
                dir,
                ServiceInstance.stampJob(
                        "hourly", log, ServiceInstance.cron("hourly", ONCE, "0 " + half.getMinute() + " * * * ?")));
        ShiftedClock threeHoursAgo = new ShiftedClock(Duration.ofHours(-3));
        try (Scene scene = new Scene()) {
            scene.planted().leftAt(Scene.catalog(conf), now.minus(Duration.ofDays(1)), now);
            ServiceInstance leader = scene.lead(conf, "leader");
            ServiceInstance standby = scene.start(conf, "standby", threeHoursAgo.time());
            threeHoursAgo.step(Duration.ofHours(3));
            scene.kill(leader);
            patiently().until(standby::leads);
            Cursor cursor = scene.cursor("hourly-t");
            patiently()
                    .during(Duration.ofSeconds(2))
                    .until(() -> StampJob.of(log).isEmpty());
            assertThat(scene.cursor("hourly-t")).isEqualTo(cursor);
            assertThat(cursor.next()).isAfter(now);
            assertThat(scene.history("hourly")).isEmpty();
        }
    }

    @Test
    void oneGarbageCursorIsReportedAndAllOthersCatchUp() throws Exception {
        Path conf = Scene.confWith(dir, matrix());
        Instant gone = Instant.now().minus(Duration.ofMinutes(5)).truncatedTo(ChronoUnit.MILLIS);
        try (Scene scene = new Scene();
                io.latchkey.testing.LogCapture logs = io.latchkey.testing.LogCapture.of("io.latchkey.scheduler")) {
            PlantedLedger planted = scene.planted();
            for (var spec : Scene.catalog(conf).triggers()) {
                if (spec.key().getName().equals("cron-once-t")) {
                    planted.garbage(spec.key());
                } else {
                    planted.cursor(PlantedLedger.leftAt(spec, gone.minusSeconds(3), gone));
                }
            }
            scene.lead(conf, "a");
            for (String other : List.of("cron-smart", "ever-smart", "calendar-smart", "cron-ignore")) {
                patiently().until(() -> runs(other).stream().anyMatch(PrintJob.Run::catchUp));
            }
            patiently().until(() -> !runs("cron-once").isEmpty());
            assertThat(runs("cron-once")).noneMatch(PrintJob.Run::catchUp);
            assertThat(logs.messages(ch.qos.logback.classic.Level.ERROR))
                    .singleElement()
                    .asString()
                    .contains("ops.cron-once-t", "cannot be read", "scheduled from now");
            assertThat(scene.cursor("cron-once-t").next()).isAfter(gone.plusSeconds(290));
        }
    }

    /** The case of the table: starvation is not a miss. */
    @Test
    void twoHundredJobsOfTwoSecondsOnFiveThreadsAllRunUnderTheirOwnTimes() throws Exception {
        String log = "crowd";
        StringBuilder jobs = new StringBuilder();
        Instant due = Instant.now().plusSeconds(5).truncatedTo(ChronoUnit.SECONDS);
        for (int i = 0; i < 200; i++) {
            // Every kind of instruction: none of them may count waiting for a thread as a miss.
            String misfire = List.of(ONCE, "MISFIRE_INSTRUCTION_DO_NOTHING", "MISFIRE_INSTRUCTION_SMART_POLICY")
                    .get(i % 3);
            jobs.append(ServiceInstance.stampJob("j" + i, log, ServiceInstance.cron("j" + i, misfire, at(due)))
                    .replace("</job-data-map>", "<entry><key>sleepMs</key><value>2000</value></entry></job-data-map>"));
        }
        Path conf = ServiceInstance.conf(dir, jobs.toString());
        try (Scene scene = new Scene()) {
            scene.lead(conf, "a", "scheduler.threads=5");
            Scene.patiently()
                    .atMost(Duration.ofMinutes(4))
                    .until(() -> StampJob.of(log).size() >= 200);
            List<Stamp> stamps = StampJob.of(log);
            assertThat(stamps.stream().map(Stamp::job)).doesNotHaveDuplicates().hasSize(200);
            assertThat(stamps).allSatisfy(stamp -> {
                assertThat(stamp.scheduled()).isEqualTo(due);
                assertThat(stamp.catchUp()).isFalse();
            });
            for (int i = 0; i < 200; i += 20) {
                String job = "j" + i;
                patiently().until(() -> scene.history(job).size() == 1);
                HistoryEntry entry = scene.history(job).get(0);
                assertThat(entry.id().slot()).isEqualTo(due);
                assertThat(entry.outcome().kind()).isEqualTo(Kind.SUCCEEDED);
            }
        }
    }

    private static String at(Instant instant) {
        var time = instant.atZone(ZoneOffset.UTC);
        return "%d %d %d %d %d ?"
                .formatted(
                        time.getSecond(), time.getMinute(), time.getHour(), time.getDayOfMonth(), time.getMonthValue());
    }
}
