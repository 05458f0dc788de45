package io.latchkey.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.latchkey.conf.JobsSettings;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.jobs.JobsLoader;
import io.latchkey.lifecycle.Faults;
import io.latchkey.lifecycle.Threads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DrillPartsTest {
    private static final Instant NOON = Instant.parse("2026-11-29T12:00:00Z");

    @Test
    void theOracleCountsEverySlotOnce() {
        DrillTrigger every3 = EvidenceBuilder.trigger("simple-nothing-recover");
        assertThat(every3.slots(NOON, NOON.plusSeconds(9)))
                .containsExactly(NOON, NOON.plusSeconds(3), NOON.plusSeconds(6));
        assertThat(every3.slots(NOON.plusMillis(1), NOON.plusSeconds(4))).containsExactly(NOON.plusSeconds(3));
        assertThat(every3.isSlot(NOON.plusSeconds(1))).isFalse();
    }

    @Test
    void theServicesOwnTimeTablesAgreeWithTheOracle(@TempDir Path dir) throws Exception {
        Path conf = Files.createDirectory(dir.resolve("conf"));
        Files.writeString(conf.resolve("jobs.xml"), DrillJobs.xml(2, dir.resolve("run.log"), dir.resolve("killer")));
        AuthorJar.write(dir.resolve("jobs/drill-jobs.jar"));
        JobsSettings settings = new JobsSettings(List.of("jobs.xml"), ZoneOffset.UTC, List.of("jobs/*.jar"));
        JobCatalog catalog = JobsLoader.load(settings, conf, Clock.systemUTC());
        assertThat(catalog.triggers()).hasSameSizeAs(DrillJobs.triggers(2));
        catalog.triggers().forEach(spec -> {
            DrillTrigger trigger = EvidenceBuilder.trigger(spec.key().getName());
            assertThat(spec.misfire()).as(trigger.name()).isEqualTo(trigger.misfire());
            List<Instant> slots = new ArrayList<>();
            Optional<Instant> next = spec.schedule().timeTable(NOON).next(NOON.minusMillis(1));
            while (next.isPresent() && next.get().isBefore(NOON.plusSeconds(60))) {
                slots.add(next.get());
                next = spec.schedule().timeTable(NOON).next(next.get());
            }
            assertThat(slots).as(trigger.name()).isEqualTo(trigger.slots(NOON, NOON.plusSeconds(60)));
        });
    }

    @Test
    void theSameSeedGivesTheSamePlan() {
        List<FaultKind> first = draw(new FaultPlan(42, EnumSet.allOf(FaultKind.class)), 60);
        assertThat(draw(new FaultPlan(42, EnumSet.allOf(FaultKind.class)), 60)).isEqualTo(first);
        assertThat(draw(new FaultPlan(43, EnumSet.allOf(FaultKind.class)), 60)).isNotEqualTo(first);
    }

    @Test
    void everyKindComesOnceInARound() {
        FaultPlan plan = new FaultPlan(1, EnumSet.allOf(FaultKind.class));
        assertThat(plan.hadEach()).isFalse();
        assertThat(draw(plan, FaultKind.values().length)).containsExactlyInAnyOrder(FaultKind.values());
        assertThat(plan.hadEach()).isTrue();
    }

    @Test
    void aFaultThatDidNothingComesAgainButNotForEver() {
        FaultPlan plan = new FaultPlan(1, EnumSet.of(FaultKind.KILL_LEADER));
        for (int i = 0; i < 3; i++) {
            assertThat(plan.hadEach()).isFalse();
            plan.didNotBite(plan.next());
        }
        assertThat(plan.hadEach()).isTrue();
    }

    @Test
    void aLineOfTheRunLogReadsBack() {
        RunLine line = new RunLine(
                RunLine.Phase.START,
                NOON.plusNanos(123_456_000),
                "a",
                12,
                "cron-all",
                new RunLine.Fire("cron-all", NOON, 2),
                3,
                4_294_967_300L,
                "catch-up");
        assertThat(RunLine.parse(line.format())).isEqualTo(line);
        assertThatThrownBy(() -> RunLine.parse("START\tnonsense")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsAllowedGrowsWithTheSlownessOfTheMachineAtThatTime() {
        Pace.Measured pace = new Pace.Measured(List.of(
                new Pace.Sample(NOON.plusSeconds(1), Duration.ZERO, Duration.ofMillis(10), Duration.ofMillis(10)),
                new Pace.Sample(
                        NOON.plusSeconds(2), Duration.ofMillis(500), Duration.ofMillis(30), Duration.ofMillis(10)),
                new Pace.Sample(NOON.plusSeconds(3), Duration.ZERO, Duration.ofMillis(10), Duration.ofMillis(10))));
        Duration second = Duration.ofSeconds(1);

        assertThat(pace.allow(second, NOON, NOON.plusMillis(900))).isEqualTo(second);
        assertThat(pace.allow(second, NOON.plusMillis(1100), NOON.plusMillis(1900)))
                .isEqualTo(Duration.ofMillis(3500));
        assertThat(pace.allow(second, NOON, NOON.plusSeconds(2))).isEqualTo(Duration.ofMillis(2500));
        assertThat(pace.allow(second, NOON.plusSeconds(3), NOON.plusSeconds(9))).isEqualTo(second);
    }

    @Test
    void thePaceOfThisMachineIsMeasured() {
        try (Pace pace = new Pace(new Threads(new Faults()))) {
            Awaitility.await().until(() -> pace.measured().samples().size() > 1);
            assertThat(pace.measured().samples())
                    .allSatisfy(sample -> assertThat(sample.took()).isGreaterThanOrEqualTo(Duration.ofMillis(9)));
        }
    }

    @Test
    void theRunLogIsReadAsItGrowsAndNoLineInHalf(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("run.log");
        RunLogReader reader = new RunLogReader(file);
        RunLine line = new RunLine(
                RunLine.Phase.END, NOON, "a", 1, "cron-all", new RunLine.Fire("cron-all", NOON, 1), 1, 1, "ok");
        assertThat(reader.read()).isEmpty();
        Files.writeString(file, line.format() + "\n" + line.format().substring(0, 20));
        assertThat(reader.read()).containsExactly(line);
        Files.writeString(file, line.format().substring(20) + "\n", StandardOpenOption.APPEND);
        assertThat(reader.read()).containsExactly(line, line);
    }

    @Test
    void aJobThatIsBeingInterruptedStillSaysThatItRan(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("run.log");
        RunLine line = new RunLine(
                RunLine.Phase.START, NOON, "a", 1, "cron-all", new RunLine.Fire("cron-all", NOON, 1), 1, 1, "-");
        Thread.currentThread().interrupt();
        new RunLogFile(file).append(line);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(new RunLogReader(file).read()).containsExactly(line);
    }

    @Test
    void anUnknownFaultIsRefusedWithTheList() {
        assertThatThrownBy(() -> new DrillOptions(
                        Duration.ofMinutes(1),
                        1,
                        3,
                        List.of("kill-leeder"),
                        Optional.empty(),
                        Path.of("report.html"),
                        "latchkey"))
                .hasMessageContaining("kill-leader");
    }

    private static List<FaultKind> draw(FaultPlan plan, int count) {
        List<FaultKind> kinds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            kinds.add(plan.next().kind());
        }
        return kinds;
    }
}
