package io.latchkey.jobs.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Rare schedules are found and dense ones counted by arithmetic. The bounds are far above what is needed and far below
 * what a walk over the slots would take (hours), so that a slow machine does not trip them.
 */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class CronSpeedTest {
    private static final Instant NOW = Instant.parse("2026-11-29T00:00:00Z");
    private static final List<ZoneId> ZONES =
            List.of(ZoneId.of("UTC"), ZoneId.of("Europe/Berlin"), ZoneId.of("Africa/Casablanca"));

    @Test
    void rareAndNeverFiringExpressionsAreAnsweredAThousandTimesOver() {
        for (String expression :
                List.of("0 0 9 ? 2 6#5", "0 0 0 29 2 ?", "0 0 0 30 2 ?", "* * * 31 2,4 ?", "0 0 0 1 1 ? 2199")) {
            CronSchedule schedule = CronSchedule.parse(expression);
            for (ZoneId zone : ZONES) {
                for (int i = 0; i < 1_000; i++) {
                    Instant at = NOW.plus(Duration.ofDays(i));
                    int second = i;
                    assertThatCode(() -> {
                                schedule.next(at.plusSeconds(second), zone);
                                schedule.previous(at.plusSeconds(second), zone);
                            })
                            .doesNotThrowAnyException();
                }
            }
        }
    }

    @Test
    void countOverTenYearsOfSecondsCostsMonthsNotSlots() {
        CronSchedule schedule = CronSchedule.parse("* * * * * ?");
        Instant tenYears = Instant.parse("2036-11-29T00:00:00Z");
        for (ZoneId zone : ZONES) {
            for (int i = 0; i < 1_000; i++) {
                assertThat(schedule.countBetween(NOW.plusSeconds(1), tenYears, zone))
                        .isEqualTo(Duration.between(NOW, tenYears).toSeconds());
            }
        }
    }

    @Test
    void countOfADenseExpressionIsNoDearerThanOfASparseOne() {
        CronSchedule dense = CronSchedule.parse("* * * * * ?");
        CronSchedule sparse = CronSchedule.parse("0 0 0 * * ?");
        long denseNanos = bestOf(dense);
        long sparseNanos = bestOf(sparse);
        // 86,400 times the slots; a tenth of that ratio would already be a walk.
        assertThat(denseNanos).isLessThan(100 * Math.max(sparseNanos, 10_000));
    }

    private static long bestOf(CronSchedule schedule) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < 50; i++) {
            long begun = System.nanoTime();
            long count = schedule.countBetween(Instant.EPOCH, Instant.MAX, ZONES.get(1));
            best = Math.min(best, System.nanoTime() - begun);
            assertThat(count).isPositive();
        }
        return best;
    }
}
