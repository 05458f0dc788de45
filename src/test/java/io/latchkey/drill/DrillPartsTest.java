package io.latchkey.drill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.latchkey.conf.JobsSettings;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.jobs.JobsLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
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
    void anUnknownFaultIsRefusedWithTheList() {
        assertThatThrownBy(() -> new DrillOptions(
                        java.time.Duration.ofMinutes(1),
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
