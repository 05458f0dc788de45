package io.latchkey.jobs.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TimeZone;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.quartz.CronExpression;

/**
 * Random expressions against evaluators that share no code with ours: a walk over every second, and on UTC, where it has
 * no shifts to stumble over, Quartz itself. The seeds are fixed; a failure names its expression, zone and instant.
 */
class CronPropertyTest {
    /** Zones with the shifts of an hour, half an hour, at midnight, southern, around a fast, and none. */
    private static final List<String> ZONES = List.of(
            "Europe/Berlin",
            "America/New_York",
            "Australia/Lord_Howe",
            "Africa/Cairo",
            "America/Santiago",
            "Africa/Casablanca",
            "Asia/Kolkata",
            "UTC",
            "Pacific/Apia");

    @Test
    void nextPreviousAndCountAgreeWithAWalkOverEverySecond() {
        agreesWithAWalk(new Random(20_261_129), 250);
    }

    @Test
    @Tag("slow")
    void nextPreviousAndCountAgreeWithManyMoreWalks() {
        agreesWithAWalk(new Random(4711), 2_000);
    }

    private static void agreesWithAWalk(Random random, int rounds) {
        for (int round = 0; round < rounds; round++) {
            RandomCron cron = RandomCron.of(random);
            ZoneId zone = ZoneId.of(ZONES.get(random.nextInt(ZONES.size())));
            Instant start = windowStart(random, zone);
            Instant end = start.plus(Duration.ofHours(5));
            String context = "'" + cron.text() + "' in " + zone + " from " + start;
            List<Instant> walked = walk(cron, zone, start, end);
            CronSchedule schedule = CronSchedule.parse(cron.text());

            assertThat(schedule.fixedTime()).as(context).isEqualTo(cron.fixedTime());
            assertThat(forwards(schedule, zone, start, end)).as(context).isEqualTo(walked);
            assertThat(backwards(schedule, zone, start, end)).as(context).isEqualTo(walked);
            assertThat(schedule.countBetween(start, end, zone)).as(context).isEqualTo(walked.size());
        }
    }

    @Test
    void nextFromAnywhereIsWhatPreviousFindsAndCountCounts() {
        Random random = new Random(7);
        for (int round = 0; round < 3_000; round++) {
            RandomCron cron = RandomCron.of(random);
            CronSchedule schedule = CronSchedule.parse(cron.text());
            ZoneId zone = ZoneId.of(ZONES.get(random.nextInt(ZONES.size())));
            Instant after = windowStart(random, zone).plusMillis(random.nextInt(86_400_000));
            String context = "'" + cron.text() + "' in " + zone + " after " + after;
            Optional<Instant> next = schedule.next(after, zone);
            if (next.isPresent()) {
                Instant slot = next.get();
                assertThat(slot).as(context).isAfter(after);
                assertThat(cron.fires(slot, zone)).as(context).isTrue();
                assertThat(schedule.previous(slot, zone)).as(context).contains(slot);
                assertThat(schedule.countBetween(after.plusNanos(1), slot, zone))
                        .as(context)
                        .isEqualTo(1);
                Optional<Instant> before = schedule.previous(slot.minusNanos(1), zone);
                assertThat(before.map(earlier -> !earlier.isAfter(after)).orElse(true))
                        .as(context)
                        .isTrue();
                assertThat(before.flatMap(earlier -> schedule.next(earlier, zone))
                                .orElse(slot))
                        .as(context)
                        .isEqualTo(slot);
            } else {
                assertThat(schedule.countBetween(after.plusNanos(1), Instant.MAX, zone))
                        .as(context)
                        .isZero();
            }
        }
    }

    @Test
    void countOverYearsIsTheSumOfItsParts() {
        Random random = new Random(99);
        for (int round = 0; round < 1_000; round++) {
            CronSchedule schedule = CronSchedule.parse(RandomCron.of(random).text());
            ZoneId zone = ZoneId.of(ZONES.get(random.nextInt(ZONES.size())));
            Instant from = Instant.ofEpochSecond(random.nextLong(0, 3_000_000_000L));
            Instant middle = from.plusSeconds(random.nextLong(0, 100_000_000L));
            Instant to = middle.plusSeconds(random.nextLong(0, 100_000_000L));
            assertThat(schedule.countBetween(from, to, zone))
                    .as("'%s' in %s: %s, %s, %s", schedule, zone, from, middle, to)
                    .isEqualTo(schedule.countBetween(from, middle, zone)
                            + schedule.countBetween(middle.plusSeconds(1), to, zone));
        }
    }

    @Test
    void rareSlotsOverYearsAreCountedAsTheyAreMet() {
        Random random = new Random(3);
        for (int round = 0; round < 300; round++) {
            RandomCron cron = RandomCron.of(random);
            ZoneId zone = ZoneId.of(ZONES.get(random.nextInt(ZONES.size())));
            Instant from = windowStart(random, zone);
            CronSchedule schedule = CronSchedule.parse(cron.text());
            List<Instant> slots = new ArrayList<>();
            Optional<Instant> slot = schedule.next(from, zone);
            while (slot.isPresent() && slots.size() < 500) {
                slots.add(slot.get());
                slot = schedule.next(slot.get(), zone);
            }
            if (!slots.isEmpty()) {
                assertThat(schedule.countBetween(from.plusSeconds(1), slots.get(slots.size() - 1), zone))
                        .as("'%s' in %s from %s", cron.text(), zone, from)
                        .isEqualTo(slots.size());
            }
        }
    }

    @Test
    @SuppressWarnings("JavaUtilDate") // Quartz's evaluator speaks in Date.
    void onUtcQuartzSaysTheSame() throws ParseException {
        Random random = new Random(2_5_2);
        for (int round = 0; round < 2_000; round++) {
            String text = RandomCron.of(random).text();
            if (text.contains("W")) {
                // On its way to a nearest workday Quartz keeps the hour it comes from and loses the fires before it.
                continue;
            }
            CronExpression quartz = new CronExpression(text);
            quartz.setTimeZone(TimeZone.getTimeZone(ZoneOffset.UTC));
            CronSchedule schedule = CronSchedule.parse(text);
            Instant at = Instant.ofEpochSecond(random.nextLong(1_500_000_000L, 2_500_000_000L));
            for (int i = 0; i < 10; i++) {
                Date theirs = quartz.getNextValidTimeAfter(Date.from(at));
                Optional<Instant> ours = schedule.next(at, ZoneOffset.UTC);
                if (theirs == null) {
                    // Quartz gives up a hundred years from now.
                    assertThat(ours.map(slot -> slot.isAfter(Instant.parse("2120-01-01T00:00:00Z")))
                                    .orElse(true))
                            .as("'%s' after %s", text, at)
                            .isTrue();
                    break;
                }
                assertThat(ours).as("'%s' after %s", text, at).contains(theirs.toInstant());
                at = theirs.toInstant();
            }
        }
    }

    /** Half of the windows hold a shift of the clocks, if the zone has any. */
    private static Instant windowStart(Random random, ZoneId zone) {
        Instant anywhere = LocalDate.of(2005, 1, 1)
                .atStartOfDay(ZoneOffset.UTC)
                .plusSeconds(random.nextInt(1_200_000_000))
                .toInstant();
        var shift = zone.getRules().nextTransition(anywhere);
        return shift == null || random.nextBoolean()
                ? anywhere
                : shift.getInstant().minusSeconds(random.nextInt(4 * 3600));
    }

    private static List<Instant> walk(RandomCron cron, ZoneId zone, Instant start, Instant end) {
        List<Instant> fires = new ArrayList<>();
        for (Instant at = start; !at.isAfter(end); at = at.plusSeconds(1)) {
            if (cron.fires(at, zone)) {
                fires.add(at);
            }
        }
        return fires;
    }

    private static List<Instant> forwards(CronSchedule schedule, ZoneId zone, Instant start, Instant end) {
        List<Instant> fires = new ArrayList<>();
        Optional<Instant> slot = schedule.next(start.minusNanos(1), zone);
        while (slot.isPresent() && !slot.get().isAfter(end)) {
            fires.add(slot.get());
            slot = schedule.next(slot.get(), zone);
        }
        return fires;
    }

    private static List<Instant> backwards(CronSchedule schedule, ZoneId zone, Instant start, Instant end) {
        List<Instant> fires = new ArrayList<>();
        Optional<Instant> slot = schedule.previous(end, zone);
        while (slot.isPresent() && !slot.get().isBefore(start)) {
            fires.add(slot.get());
            slot = schedule.previous(slot.get().minusNanos(1), zone);
        }
        Collections.reverse(fires);
        return fires;
    }
}
