package io.latchkey;

import static io.latchkey.Scene.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.example.jobs.StampJob;
import com.example.jobs.StampJob.Stamp;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A change of leader in the hour that comes twice when the clocks go back, by real instances on shifted clocks. */
@Tag("slow")
class DoubledHourTest {
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final String ALL = "MISFIRE_INSTRUCTION_IGNORE_MISFIRE_POLICY";
    private static final Duration HALF = Duration.ofMinutes(30);

    @TempDir
    Path dir;

    @Test
    void rhythmGoesThroughBothPassesAndFixedTimeRunsInTheSecondWhoeverLeads() throws Exception {
        // 03:00 in summer time, which is 02:00 in winter time: the second pass begins.
        Instant back = lastTimeTheClocksWentBack();
        Instant firstHalfPastTwo = back.minus(HALF);
        Instant secondHalfPastTwo = back.plus(HALF);
        Path conf = ServiceInstance.conf(
                dir,
                ServiceInstance.stampJob("rhythm", "doubled-rhythm", inBerlin("rhythm", "0 * * * * ?"))
                        + ServiceInstance.stampJob("fixed", "doubled-fixed", inBerlin("fixed", "0 30 2 * * ?")));
        try (Scene scene = new Scene()) {
            scene.planted()
                    .leftAt(
                            Scene.catalog(conf),
                            firstHalfPastTwo.minus(Duration.ofDays(2)),
                            firstHalfPastTwo.minusSeconds(3));
            ServiceInstance first = scene.lead(
                    conf,
                    "first",
                    ShiftedClock.showing(firstHalfPastTwo.minusSeconds(3)).time());
            patiently().until(() -> slots("doubled-rhythm").contains(firstHalfPastTwo));
            assertThat(scene.cursor("fixed-t").next()).isEqualTo(secondHalfPastTwo);
            scene.kill(first);

            scene.lead(
                    conf,
                    "second",
                    ShiftedClock.showing(secondHalfPastTwo.minusSeconds(3)).time());
            patiently()
                    .until(() -> !slots("doubled-fixed").isEmpty()
                            && slots("doubled-rhythm").contains(secondHalfPastTwo));

            assertThat(slots("doubled-fixed")).containsExactly(secondHalfPastTwo);
            assertThat(slots("doubled-rhythm"))
                    .containsExactlyInAnyOrderElementsOf(Stream.iterate(
                                    firstHalfPastTwo,
                                    slot -> !slot.isAfter(secondHalfPastTwo),
                                    slot -> slot.plus(Duration.ofMinutes(1)))
                            .toList());
            assertThat(scene.cursor("fixed-t").next()).isEqualTo(secondHalfPastTwo.plus(Duration.ofDays(1)));
        }
    }

    private static String inBerlin(String name, String expression) {
        return ServiceInstance.cron(name, ALL, expression)
                .replace("</cron>", "<time-zone>" + BERLIN + "</time-zone></cron>");
    }

    private static List<Instant> slots(String log) {
        return StampJob.of(log).stream().map(Stamp::scheduled).toList();
    }

    private static Instant lastTimeTheClocksWentBack() {
        // An hour of room: the instances' clocks must not be ahead of the one Quartz reads.
        Instant before = Instant.now().minus(Duration.ofHours(1));
        ZoneOffsetTransition shift = Objects.requireNonNull(BERLIN.getRules().previousTransition(before));
        while (!shift.isOverlap()) {
            shift = Objects.requireNonNull(BERLIN.getRules().previousTransition(shift.getInstant()));
        }
        return shift.getInstant();
    }
}
