package io.latchkey;

import static io.latchkey.Scene.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.example.jobs.BadConstructorJob;
import com.example.jobs.FailJob;
import com.example.jobs.PrintJob;
import com.example.jobs.SleepJob;
import com.example.jobs.StampJob;
import com.example.jobs.StampJob.Stamp;
import io.latchkey.ledger.HistoryEntry;
import io.latchkey.ledger.Outcome.Kind;
import io.latchkey.testing.LogCapture;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole instances meet what real use brings: failing jobs, long jobs and clocks that are wrong. */
@Tag("slow")
class TroubleTest {
    private static final String ONCE = "MISFIRE_INSTRUCTION_FIRE_ONCE_NOW";
    private static final String ALL = "MISFIRE_INSTRUCTION_IGNORE_MISFIRE_POLICY";

    @TempDir
    private Path dir;

    @BeforeEach
    void forgetEarlierRuns() {
        PrintJob.RUNS.clear();
        FailJob.RUNS.clear();
        SleepJob.STARTED.clear();
        SleepJob.ENDED.clear();
        BadConstructorJob.CREATED.set(0);
        BadConstructorJob.RUNS.set(0);
    }

    private static List<Instant> ticks(String trigger) {
        return PrintJob.RUNS.stream()
                .filter(run -> run.trigger().equals(trigger))
                .map(PrintJob.Run::scheduled)
                .toList();
    }

    private static void assertEverySlot(List<Instant> ran, Duration apart) {
        assertThat(ran.stream().sorted().toList())
                .isEqualTo(Stream.iterate(Collections.min(ran), slot -> slot.plus(apart))
                        .limit(ran.size())
                        .toList());
    }

    @Test
    void aTickRunsAtEachOfItsSlots() throws Exception {
        Path conf = Scene.caseConf(dir, "S01-tick.xml");
        try (Scene scene = new Scene()) {
            scene.lead(conf, "a");
            patiently().until(() -> ticks("ops.tick-2s").size() >= 4);
            assertEverySlot(ticks("ops.tick-2s"), Duration.ofSeconds(2));
        }
    }

    @Test
    void aLongJobFinishesWhereItRunsWhileTheSuccessorTicksOn() throws Exception {
        Path conf = Scene.confWith(dir, Scene.caseFile("S02-long-job.xml").replace("40000", "8000"));
        Instant gone = Instant.now().minus(Duration.ofMinutes(2));
        try (Scene scene = new Scene()) {
            scene.planted().leftAt(Scene.catalog(conf), gone.minusSeconds(1), gone);
            ServiceInstance a = scene.lead(conf, "a");
            ServiceInstance b = scene.start(conf, "b");
            patiently().until(() -> !SleepJob.STARTED.isEmpty());
            int before = ticks("ops.tick-5s").size();
            a.resign();
            patiently().until(b::leads);
            assertThat(SleepJob.ENDED).isEmpty();
            patiently().until(() -> ticks("ops.tick-5s").size() >= before + 2 && !SleepJob.ENDED.isEmpty());
            patiently().until(() -> scene.outcomes("long", Kind.SUCCEEDED) >= 1);

            HistoryEntry first = scene.history("long").stream()
                    .filter(entry -> entry.outcome().kind() == Kind.SUCCEEDED)
                    .findFirst()
                    .orElseThrow();
            assertThat(first.owner().instance()).isEqualTo("a");
            assertThat(scene.outcomes("long", Kind.ABANDONED)).isZero();
            assertEverySlot(ticks("ops.tick-5s"), Duration.ofSeconds(5));
        }
    }

    @Test
    void jobsThatFailAreLoggedAndTheirNextSlotComes() throws Exception {
        Path conf = Scene.caseConf(dir, "S05-failing-jobs.xml");
        try (Scene scene = new Scene();
                LogCapture logs = LogCapture.of("io.latchkey.scheduler")) {
            ServiceInstance a = scene.lead(conf, "a");
            patiently()
                    .until(() -> BadConstructorJob.RUNS.get() >= 1
                            && ticks("ops.tick-t").size() >= 3);
            for (String job : List.of("throws", "error", "refire")) {
                patiently().until(() -> scene.outcomes(job, Kind.FAILED) >= 2);
                assertThat(logs.events())
                        .filteredOn(event -> event.getFormattedMessage().contains("ops." + job + " failed"))
                        .as(job)
                        .isNotEmpty()
                        .allSatisfy(event -> {
                            assertThat(event.getLevel()).isEqualTo(Level.WARN);
                            assertThat(event.getThrowableProxy()).isNotNull();
                        });
            }
            assertThat(scene.outcomes("ctor", Kind.FAILED)).isEqualTo(1);
            assertThat(scene.outcomes("ctor", Kind.SUCCEEDED)).isPositive();
            assertEverySlot(ticks("ops.tick-t"), Duration.ofSeconds(3));
            a.close();
            long runs = FailJob.RUNS.stream().filter("ops.refire"::equals).count();
            assertThat(runs)
                    .as("runs of a job that always asks for another at once")
                    .isEqualTo(4L * scene.history("refire").size());
        }
    }

    @Test
    void aLeaderWhoseClockIsSetBackRepeatsNothing() throws Exception {
        String log = "set-back";
        Path conf = everySecond(log);
        ShiftedClock clock = new ShiftedClock(Duration.ZERO);
        try (Scene scene = new Scene()) {
            scene.lead(conf, "a", clock.time());
            patiently().until(() -> StampJob.of(log).size() >= 3);
            clock.step(Duration.ofMinutes(-5));
            Instant stepped = Instant.now();
            patiently()
                    .during(Duration.ofSeconds(4))
                    .until(() -> StampJob.of(log).stream()
                            .noneMatch(run -> run.scheduled().isAfter(stepped)));
            int before = StampJob.of(log).size();
            clock.step(Duration.ofMinutes(5));
            patiently().until(() -> StampJob.of(log).size() >= before + 3);
            // A fire claimed just as the clock was set has a void lease: it is given back, and runs after later ones.
            patiently()
                    .untilAsserted(() -> assertEverySlot(
                            StampJob.of(log).stream().map(Stamp::scheduled).toList(), Duration.ofSeconds(1)));
            assertNoneTwice(StampJob.of(log));
        }
    }

    @Test
    void aNewLeaderWhoseClockIsBehindRepeatsNothing() throws Exception {
        String log = "behind";
        Path conf = everySecond(log);
        try (Scene scene = new Scene()) {
            ServiceInstance right = scene.lead(conf, "right");
            ServiceInstance behind = scene.start(conf, "behind", new ShiftedClock(Duration.ofSeconds(-90)).time());
            patiently().until(() -> StampJob.of(log).size() >= 3);
            scene.kill(right);
            patiently().until(behind::leads);
            patiently()
                    .during(Duration.ofSeconds(4))
                    .until(() -> StampJob.of(log).stream()
                            .allMatch(run -> run.instance().equals("right")));
            assertNoneTwice(StampJob.of(log));
        }
    }

    @Test
    void aClockSetAheadIsAMissAndSaidSo() throws Exception {
        String log = "ahead";
        Path conf = ServiceInstance.conf(
                dir, ServiceInstance.stampJob("tick", log, ServiceInstance.cron("tick", ONCE, "0/2 * * * * ?")));
        // Behind at first, so that Quartz's own clock is never behind the instance's.
        ShiftedClock clock = new ShiftedClock(Duration.ofMinutes(-10));
        try (Scene scene = new Scene();
                LogCapture logs = LogCapture.of("io.latchkey.scheduler")) {
            scene.lead(conf, "a", clock.time());
            patiently().until(() -> StampJob.of(log).size() >= 2);
            clock.step(Duration.ofMinutes(10));
            patiently()
                    .until(() -> StampJob.of(log).stream()
                                            .filter(run -> !run.catchUp())
                                            .count()
                                    >= 4
                            && StampJob.of(log).stream().anyMatch(Stamp::catchUp));
            List<Stamp> caughtUp =
                    StampJob.of(log).stream().filter(Stamp::catchUp).toList();
            assertThat(caughtUp)
                    .singleElement()
                    .satisfies(run -> assertThat(run.missed()).isBetween(299L, 301L));
            assertThat(logs.messages(Level.WARN)).anyMatch(line -> line.matches(".*jumped ahead by (599s|10m):.*"));
            assertNoneTwice(StampJob.of(log));
        }
    }

    private Path everySecond(String log) throws Exception {
        return ServiceInstance.conf(
                dir, ServiceInstance.stampJob("tick", log, ServiceInstance.cron("tick", ALL, "* * * * * ?")));
    }

    private static void assertNoneTwice(List<Stamp> stamps) {
        assertThat(stamps.stream().map(Stamp::fireId)).doesNotHaveDuplicates();
    }
}
