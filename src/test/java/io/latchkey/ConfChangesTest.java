package io.latchkey;

import static io.latchkey.Scene.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.example.jobs.PrintJob;
import com.example.jobs.StampJob;
import com.example.jobs.StampJob.Stamp;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.Outcome.Kind;
import io.latchkey.ledger.PlantedLedger;
import io.latchkey.testing.LogCapture;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a trigger's place when the next leader has another configuration, or the same. */
@Tag("slow")
class ConfChangesTest {
    private static final String ONCE = "MISFIRE_INSTRUCTION_FIRE_ONCE_NOW";

    @TempDir
    private Path dir;

    @BeforeEach
    void forgetEarlierRuns() {
        PrintJob.RUNS.clear();
    }

    private Path conf(String name, String jobs) throws Exception {
        return ServiceInstance.conf(dir.resolve(name), jobs);
    }

    private static String job(String log, String expression) {
        return ServiceInstance.stampJob("job", log, ServiceInstance.cron("job", ONCE, expression));
    }

    private static Instant nineOClock() {
        Instant now = Instant.now();
        Instant today = now.atZone(ZoneOffset.UTC).with(LocalTime.of(9, 0)).toInstant();
        return today.plusSeconds(60).isAfter(now) ? today.minus(1, ChronoUnit.DAYS) : today;
    }

    private static void assertStaysEmpty(java.util.Collection<?> runs) {
        patiently().during(Duration.ofSeconds(2)).until(runs::isEmpty);
    }

    @Test
    void anotherScheduleStartsFromNowAndRunsNothingOfEitherPast() throws Exception {
        Path before = Scene.caseConf(dir.resolve("before"), "S04-schedule-before.xml");
        Path after = Scene.caseConf(dir.resolve("after"), "S04-schedule-after.xml");
        Instant nine = nineOClock();
        try (Scene scene = new Scene();
                LogCapture logs = LogCapture.of("io.latchkey.scheduler")) {
            scene.planted().leftAt(Scene.catalog(before), nine.minus(Duration.ofDays(9)), nine.minusSeconds(60));
            assertThat(scene.cursor("mailing-t").next()).isEqualTo(nine.plus(Duration.ofHours(9)));
            scene.lead(after, "a", ShiftedClock.showing(nine).time());
            assertStaysEmpty(PrintJob.RUNS);
            assertThat(scene.cursor("mailing-t").next()).isEqualTo(nine.plus(Duration.ofHours(21)));
            assertThat(logs.messages(Level.INFO))
                    .anyMatch(line -> line.contains("schedule of trigger ops.mailing-t")
                            && line.contains("was changed; it starts anew from now"));
        }
    }

    @Test
    void aJobThatIsNewAtNineDoesNotRunForSixOfToday() throws Exception {
        Path conf = Scene.caseConf(dir, "S04-schedule-after.xml");
        Instant nine = nineOClock();
        try (Scene scene = new Scene()) {
            scene.lead(conf, "a", ShiftedClock.showing(nine).time());
            assertStaysEmpty(PrintJob.RUNS);
            assertThat(scene.cursor("mailing-t").next()).isEqualTo(nine.plus(Duration.ofHours(21)));
        }
    }

    @Test
    void whatWasDueByTheOldScheduleIsDroppedAndSaidSo() throws Exception {
        Instant now = Instant.now();
        Path before = conf("before", job("dropped", "0 0/5 * * * ?"));
        Path after = conf("after", job("dropped", farFrom(now)));
        try (Scene scene = new Scene();
                LogCapture logs = LogCapture.of("io.latchkey.scheduler")) {
            Instant gone = now.minus(Duration.ofHours(1));
            scene.planted().leftAt(Scene.catalog(before), gone.minusSeconds(1), gone);
            Instant due = scene.cursor("job-t").next();
            scene.lead(after, "a");
            assertStaysEmpty(StampJob.of("dropped"));
            assertThat(logs.messages(Level.INFO))
                    .anyMatch(line -> line.contains("Dropped: what was due by the old schedule from " + due));
        }
    }

    /** Daily, twelve hours from now. */
    private static String farFrom(Instant now) {
        return "0 0 %d * * ?"
                .formatted(now.plus(Duration.ofHours(12)).atZone(ZoneOffset.UTC).getHour());
    }

    @Test
    void aRolloutThatGoesBackAndForthLosesNothing() throws Exception {
        String log = "bounced";
        String other =
                ServiceInstance.stampJob("other", log, ServiceInstance.cron("other", ONCE, farFrom(Instant.now())));
        Path with = conf("with", other + job(log, "0 0/5 * * * ?"));
        Path without = conf("without", other);
        try (Scene scene = new Scene()) {
            Instant gone = Instant.now().minus(Duration.ofMinutes(30));
            scene.planted().leftAt(Scene.catalog(with), gone.minusSeconds(1), gone);
            Cursor before = scene.cursor("job-t");
            try (ServiceInstance removed = scene.lead(without, "a")) {
                Cursor orphan = scene.cursor("job-t");
                assertThat(orphan.orphanedSince()).isNotNull();
                assertThat(orphan.place()).isEqualTo(before.place());
                assertThat(removed.leads()).isTrue();
            }
            scene.lead(with, "b");
            patiently().until(() -> scene.outcomes("job", Kind.SUCCEEDED) >= 1);
            Stamp run = StampJob.of(log).get(0);
            assertThat(run.catchUp()).isTrue();
            assertThat(run.missed()).isBetween(6L, 7L);
            assertThat(scene.cursor("job-t").orphanedSince()).isNull();
        }
    }

    @Test
    void thePlaceOfATriggerThatIsLongGoneIsCollectedAndItsReturnIsNew() throws Exception {
        String log = "collected";
        String other =
                ServiceInstance.stampJob("other", log, ServiceInstance.cron("other", ONCE, farFrom(Instant.now())));
        Path with = conf("with", other + job(log, "0 0 * * * ?"));
        Path without = conf("without", other);
        try (Scene scene = new Scene()) {
            Instant now = Instant.now();
            PlantedLedger planted = scene.planted();
            planted.cursor(PlantedLedger.leftAt(
                            Scene.trigger(with, "job-t"), now.minus(Duration.ofDays(3)), now.minus(Duration.ofDays(2)))
                    .orphaned(now.minus(Duration.ofHours(25))));
            try (ServiceInstance first = scene.lead(without, "a")) {
                assertThat(planted.cursors())
                        .as("left by %s", first.id())
                        .noneMatch(cursor -> cursor.trigger().getName().equals("job-t"));
            }
            scene.lead(with, "b");
            assertStaysEmpty(StampJob.of(log));
            assertThat(scene.cursor("job-t").next()).isAfter(now);
        }
    }

    @Test
    void aTriggerThatComesBackTooLateIsNewThoughItsPlaceIsStillThere() throws Exception {
        String log = "too-late";
        Path with = conf("with", job(log, "0 0 * * * ?"));
        try (Scene scene = new Scene()) {
            Instant now = Instant.now();
            scene.planted()
                    .cursor(PlantedLedger.leftAt(
                                    Scene.trigger(with, "job-t"),
                                    now.minus(Duration.ofDays(3)),
                                    now.minus(Duration.ofDays(2)))
                            .orphaned(now.minus(Duration.ofHours(25))));
            scene.lead(with, "a");
            assertStaysEmpty(StampJob.of(log));
            assertThat(scene.cursor("job-t").next()).isAfter(now);
        }
    }

    @Test
    void anotherDescriptionOrOtherDataKeepThePlace() throws Exception {
        String log = "described";
        Path before = conf("before", job("old", "0 0/5 * * * ?"));
        Path after =
                conf("after", job(log, "0 0/5 * * * ?").replace("<cron><name>job-t</name><group>ops</group>", """
                                <cron><name>job-t</name><group>ops</group><description>another</description>"""));
        try (Scene scene = new Scene()) {
            Instant gone = Instant.now().minus(Duration.ofMinutes(30));
            scene.planted().leftAt(Scene.catalog(before), gone.minusSeconds(1), gone);
            Cursor place = scene.cursor("job-t");
            scene.lead(after, "a");
            patiently().until(() -> scene.outcomes("job", Kind.SUCCEEDED) >= 1);
            assertThat(StampJob.of(log).get(0).missed()).isBetween(6L, 7L);
            assertThat(StampJob.of("old")).isEmpty();
            assertThat(scene.cursor("job-t").anchor()).isEqualTo(place.anchor());
        }
    }

    @Test
    void aCompletedOneShotStaysCompleted() throws Exception {
        String log = "one-shot";
        Path conf = conf("conf", ServiceInstance.stampJob("job", log, """
                <simple><name>job-t</name><group>ops</group><job-name>job</job-name><job-group>ops</job-group>
                <repeat-count>0</repeat-count><repeat-interval>0</repeat-interval></simple>"""));
        try (Scene scene = new Scene()) {
            ServiceInstance a = scene.lead(conf, "a");
            patiently().until(() -> scene.outcomes("job", Kind.SUCCEEDED) == 1);
            assertThat(scene.cursor("job-t").finished()).isTrue();
            scene.kill(a);
            try (ServiceInstance b = scene.lead(conf, "b")) {
                patiently()
                        .during(Duration.ofSeconds(2))
                        .until(() -> b.leads() && StampJob.of(log).size() == 1);
            }
            assertThat(scene.cursor("job-t").finished()).isTrue();
        }
    }

    @Test
    void aSimpleTriggerWithoutAStartKeepsItsPhaseAcrossTerms() throws Exception {
        String log = "phase";
        Duration interval = Duration.ofMillis(1700);
        Path conf = conf(
                "conf",
                ServiceInstance.stampJob(
                        "job",
                        log,
                        ServiceInstance.every("job", "MISFIRE_INSTRUCTION_IGNORE_MISFIRE_POLICY", interval)));
        try (Scene scene = new Scene()) {
            ServiceInstance a = scene.lead(conf, "a");
            patiently().until(() -> StampJob.of(log).size() >= 2);
            Cursor.Anchor anchor = scene.cursor("job-t").anchor();
            scene.kill(a);
            ServiceInstance b = scene.lead(conf, "b");
            int before = StampJob.of(log).size();
            patiently().until(() -> StampJob.of(log).size() >= before + 2);
            b.resign();
            int between = StampJob.of(log).size();
            patiently().until(() -> StampJob.of(log).size() >= between + 2);
            assertThat(scene.cursor("job-t").anchor()).isEqualTo(anchor);
            List<Instant> slots =
                    StampJob.of(log).stream().map(Stamp::scheduled).toList();
            assertThat(slots)
                    .doesNotHaveDuplicates()
                    .allSatisfy(slot -> assertThat(
                                    Duration.between(anchor.start(), slot).toMillis() % interval.toMillis())
                            .isZero());
        }
    }
}
