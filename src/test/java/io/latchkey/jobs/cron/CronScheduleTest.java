package io.latchkey.jobs.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CronScheduleTest {
    private static final ZoneId UTC = ZoneOffset.UTC;
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Instant NOW = Instant.parse("2026-11-29T00:00:00Z");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "*/5 * * * *           | 0 */5 * * * ?",
                "0 9 * * 1-5           | 0 0 9 ? * MON-FRI",
                "30 4 1 * *            | 0 30 4 1 * ?",
                "0 0 * jan sun,3       | 0 0 0 ? JAN WED,SUN",
                "0 0 * * 7             | 0 0 0 ? * SUN",
                "0 12 13 * fri         | make two triggers, '0 0 12 13 * ?' and '0 0 12 ? * FRI'",
                "@daily                | 0 0 0 * * ?",
                "@hourly               | 0 0 * * * ?",
                "@weekly               | 0 0 0 ? * SUN",
                "@yearly               | 0 0 0 1 1 ?",
            })
    void unixCronIsOfferedItsQuartzForm(String expression, String form) {
        assertThatThrownBy(() -> CronSchedule.parse(expression))
                .isInstanceOf(CronException.class)
                .hasMessageContaining("6 or 7 fields")
                .hasMessageContaining(form);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "60 0 0 * * ?         | SECONDS      | '60' is not between 0 and 59",
                "0 0/90 * * * ?       | MINUTES      | '/90' is not between 1 and 59",
                "0 0-45/0 9 * * ?     | MINUTES      | '/0' is not between 1 and 59",
                "0 0 24 * * ?         | HOURS        | midnight is hour 0",
                "0 0 L * * ?          | HOURS        | 'L' is no value",
                "0 0 */ * * ?         | HOURS        | no whole number after '/'",
                "0 0 9 32 * ?         | DAY_OF_MONTH | '32' is not between 1 and 31",
                "0 0 9 0W * ?         | DAY_OF_MONTH | '0' is not between 1 and 31",
                "0 0 9 L-31 * ?       | DAY_OF_MONTH | L-30 is the earliest",
                "0 0 9 6#3 * ?        | DAY_OF_MONTH | in the day-of-week place",
                "0 0 9 1,,15 * ?      | DAY_OF_MONTH | remove the comma too many",
                "0 0 9 1 13 ?         | MONTH        | '13' is not between 1 and 12",
                "0 0 9 1 JANUAR-FOO ? | MONTH        | 'FOO' is no value",
                "0 0 9 1 L ?          | MONTH        | 'L' is no value",
                "0 0 9 1 ? MON        | MONTH        | '?' is for the two day fields",
                "0 0 9 ? * 0          | DAY_OF_WEEK  | 1 is Sunday",
                "0 0 9 ? * 8          | DAY_OF_WEEK  | 1 is Sunday",
                "0 0 9 ? * MONKEY     | DAY_OF_WEEK  | 'MONKEY' is no value",
                "0 0 9 ? * MON#6      | DAY_OF_WEEK  | not between 1 and 5",
                "0 0 9 ? * MON,FRIL   | DAY_OF_WEEK  | stand alone",
                "0 0 9 ? * L,2        | DAY_OF_WEEK  | stand alone",
                "00 00 09 12 03 2019  | DAY_OF_WEEK  | a year goes in the seventh place",
                "0 0 9 1 1 ? 1969     | YEAR         | not between 1970 and 2199",
                "0 0 9 1 1 ? 2030-27  | YEAR         | '27' is not between",
                "0 0 9 1 1 ? 2030-2027| YEAR         | runs backwards",
                "0 0 9 1 1 ? 99999999999999999999 | YEAR | not between 1970 and 2199",
                "0 0 4 * * 7          | DAY_OF_WEEK  | write '0 0 4 ? * 7' (1 is Sunday, 7 is Saturday)",
                "0 0 4 * * *          | DAY_OF_WEEK  | write '0 0 4 * * ?'",
                "0 0 9 ? * ?          | DAY_OF_WEEK  | write '0 0 9 * * ?'",
                "0 30 17 4 1 MON 2016 | DAY_OF_WEEK  | '0 30 17 4 1 ? 2016' and '0 30 17 ? 1 MON 2016'",
            })
    void refusalNamesTheFieldAndTheRemedy(String expression, CronField field, String words) {
        CronException refusal = catchThrowableOfType(CronException.class, () -> CronSchedule.parse(expression));
        assertThat(refusal).hasMessageContaining(words).hasMessageContaining(expression);
        assertThat(refusal.field()).contains(field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "*", "0 0 9", "0 0 9 ? * MON 2030 extra", "@every 5m", "@reboot", "1 2 3 4 x"})
    void whatIsNoCronAtAllIsRefusedAsAWhole(String expression) {
        CronException refusal = catchThrowableOfType(CronException.class, () -> CronSchedule.parse(expression));
        assertThat(refusal.field()).isEmpty();
        assertThat(refusal.getMessage()).isNotBlank();
    }

    @Test
    void expressionIsTheSameHoweverItIsSpaced() {
        CronSchedule schedule = CronSchedule.parse("  0\t0  9 ? * mon\n");
        assertThat(schedule.expression()).isEqualTo("0 0 9 ? * MON");
        assertThat(schedule).isEqualTo(CronSchedule.parse("0 0 9 ? * MON"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 0 2 * * ? | true",
                "0 0 1-3,5 * * ? | true",
                "0 0 * * * ? | false",
                "0 0 */2 * * ? | false",
                "0 0 1/3 * * ? | false",
            })
    void wildcardOrStepInTheHoursIsARhythm(String expression, boolean fixed) {
        assertThat(CronSchedule.parse(expression).fixedTime()).isEqualTo(fixed);
    }

    @Test
    void stepAfterANamedDayMeansWhatItSays() {
        assertThat(firesOf("0 0 9 ? * MON-FRI/2", 3))
                .containsExactly(
                        Instant.parse("2026-11-30T09:00:00Z"),
                        Instant.parse("2026-12-02T09:00:00Z"),
                        Instant.parse("2026-12-04T09:00:00Z"));
    }

    @Test
    void neverFiringAndFarBoundsEndQuickly() {
        for (String expression : List.of("0 0 0 30 2 ?", "* * * 31 4,6,9,11 ?", "0 0 0 1 1 ? 1970")) {
            CronSchedule schedule = CronSchedule.parse(expression);
            for (ZoneId zone : List.of(UTC, BERLIN, ZoneId.of("Africa/Casablanca"))) {
                assertThat(schedule.next(NOW, zone)).isEmpty();
                assertThat(schedule.next(Instant.MAX, zone)).isEmpty();
                assertThat(schedule.previous(Instant.MIN, zone)).isEmpty();
                assertThat(schedule.countBetween(NOW, Instant.MAX, zone)).isZero();
            }
        }
        CronSchedule daily = CronSchedule.parse("0 0 0 * * ?");
        assertThat(daily.next(Instant.MIN, UTC)).contains(Instant.EPOCH);
        assertThat(daily.previous(Instant.MAX, UTC)).contains(Instant.parse("2199-12-31T00:00:00Z"));
        assertThat(daily.countBetween(Instant.MIN, Instant.MAX, UTC))
                .isEqualTo(Duration.between(Instant.EPOCH, Instant.parse("2200-01-01T00:00:00Z"))
                        .toDays());
        assertThat(daily.countBetween(NOW.plusSeconds(1), NOW, UTC)).isZero();
        assertThat(daily.anomalies(Instant.MIN, Instant.MAX, UTC)).isEmpty();
    }

    @Test
    void countIncludesBothEndsAndTakesFractionsForWhatTheyAre() {
        CronSchedule schedule = CronSchedule.parse("* * * * * ?");
        assertThat(schedule.countBetween(NOW, NOW, UTC)).isEqualTo(1);
        assertThat(schedule.countBetween(NOW.plusMillis(1), NOW.plusMillis(999), UTC))
                .isZero();
        assertThat(schedule.countBetween(NOW.minusMillis(1), NOW.plusMillis(1), UTC))
                .isEqualTo(1);
    }

    @Test
    void fractionsOfASecondNeitherHideNorRepeatASlot() {
        CronSchedule schedule = CronSchedule.parse("* * * * * ?");
        assertThat(schedule.next(NOW.plusMillis(1), UTC)).contains(NOW.plusSeconds(1));
        assertThat(schedule.next(NOW.minusMillis(1), UTC)).contains(NOW);
        assertThat(schedule.previous(NOW.plusMillis(999), UTC)).contains(NOW);
        assertThat(schedule.previous(NOW, UTC)).contains(NOW);
    }

    @Test
    void previousFromTheVeryShiftLooksIntoTheStretchBefore() {
        CronSchedule schedule = CronSchedule.parse("0 10 1 * * ?");
        assertThat(schedule.previous(Instant.parse("2026-03-29T01:00:00Z"), BERLIN))
                .contains(Instant.parse("2026-03-29T00:10:00Z"));
        assertThat(schedule.previous(Instant.parse("2026-10-25T01:00:00Z"), BERLIN))
                .contains(Instant.parse("2026-10-24T23:10:00Z"));
    }

    @Test
    void previousFromTheSecondPassFindsWhatIsLaterOnTheClockInTheFirst() {
        CronSchedule schedule = CronSchedule.parse("0 50 2/1 25 10 ?");
        assertThat(schedule.previous(Instant.parse("2026-10-25T01:10:00Z"), BERLIN))
                .contains(Instant.parse("2026-10-25T00:50:00Z"));
        assertThat(CronSchedule.parse("0 50 2/1 25 10 ? 2026").previous(Instant.parse("2026-10-25T01:10:00Z"), BERLIN))
                .contains(Instant.parse("2026-10-25T00:50:00Z"));
    }

    @Test
    void dayThatAZoneSkippedDoesNotFire() {
        // Samoa went from 29 December straight to 31 December 2011.
        ZoneId samoa = ZoneId.of("Pacific/Apia");
        CronSchedule schedule = CronSchedule.parse("0 0 12 * * ?");
        Instant before = Instant.parse("2011-12-29T22:00:00Z");
        Optional<Instant> next = schedule.next(before, samoa);
        assertThat(next.map(slot -> LocalDateTime.ofInstant(slot, samoa)))
                .contains(LocalDateTime.parse("2011-12-31T12:00"));
        assertThat(next.flatMap(slot -> schedule.previous(slot.minusSeconds(1), samoa)))
                .contains(before);
    }

    @Test
    void anomaliesNameTheTimesThatAreSkippedOrRepeated() {
        Instant year = Instant.parse("2026-01-01T00:00:00Z");
        Instant nextYear = Instant.parse("2027-01-01T00:00:00Z");
        List<ZoneAnomaly> found = CronSchedule.parse("0 30,45 2 * * ?").anomalies(year, nextYear, BERLIN);
        assertThat(found)
                .containsExactly(
                        new ZoneAnomaly(
                                ZoneAnomaly.Kind.GAP,
                                LocalDateTime.parse("2026-03-29T02:30"),
                                LocalDateTime.parse("2026-03-29T02:45"),
                                2,
                                Instant.parse("2026-03-29T01:00:00Z"),
                                true),
                        new ZoneAnomaly(
                                ZoneAnomaly.Kind.OVERLAP,
                                LocalDateTime.parse("2026-10-25T02:30"),
                                LocalDateTime.parse("2026-10-25T02:45"),
                                2,
                                Instant.parse("2026-10-25T01:00:00Z"),
                                true));
        assertThat(found.get(0).describe()).contains("2 times from 2026-03-29T02:30", "do not exist", "no run then");
        assertThat(found.get(1).describe()).contains("come twice", "one run, the second time");
        // The hour after the gap and the hour before it are as on any day.
        assertThat(CronSchedule.parse("0 0 3 * * ?").anomalies(year, nextYear, BERLIN))
                .isEmpty();
        assertThat(CronSchedule.parse("59 59 1 * * ?").anomalies(year, nextYear, BERLIN))
                .isEmpty();
        assertThat(CronSchedule.parse("0 0 * * * ?").anomalies(year, nextYear, BERLIN))
                .hasSize(2)
                .allMatch(anomaly -> !anomaly.fixedTime());
    }

    private static List<Instant> firesOf(String expression, int count) {
        CronSchedule schedule = CronSchedule.parse(expression);
        return java.util.stream.Stream.iterate(
                        NOW, slot -> schedule.next(slot, UTC).orElseThrow())
                .skip(1)
                .limit(count)
                .toList();
    }
}
