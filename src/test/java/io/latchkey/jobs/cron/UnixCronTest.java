package io.latchkey.jobs.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnixCronTest {
    private static final ZoneId UTC = ZoneId.of("UTC");

    /** From Sunday 29 November 2026, 00:00 UTC. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*/5 * * * *    | 2026-11-29T00:05Z 2026-11-29T00:10Z",
                "30 4 * * *     | 2026-11-29T04:30Z 2026-11-30T04:30Z",
                "0 9 * * 1-5    | 2026-11-30T09:00Z 2026-12-01T09:00Z",
                "0 9 * * mon    | 2026-11-30T09:00Z 2026-12-07T09:00Z",
                "0 9 * * 0      | 2026-11-29T09:00Z 2026-12-06T09:00Z",
                "0 9 * * 7      | 2026-11-29T09:00Z 2026-12-06T09:00Z",
                "0 9 * * 6-7    | 2026-11-29T09:00Z 2026-12-05T09:00Z",
                "0 9 * * fri-sun| 2026-11-29T09:00Z 2026-12-04T09:00Z",
                "0 9 * * */3    | 2026-11-29T09:00Z 2026-12-02T09:00Z 2026-12-05T09:00Z 2026-12-06T09:00Z",
                "15 14 1 * *    | 2026-12-01T14:15Z 2027-01-01T14:15Z",
                "0 12 13 * 5    | 2026-12-04T12:00Z 2026-12-11T12:00Z 2026-12-13T12:00Z 2026-12-18T12:00Z",
                "0 12 */2 * 5   | 2026-12-11T12:00Z 2026-12-25T12:00Z 2027-01-01T12:00Z",
                "0 0 1 jan-feb *| 2027-01-01T00:00Z 2027-02-01T00:00Z 2028-01-01T00:00Z",
                "10-20/5,40 1 * * * | 2026-11-29T01:10Z 2026-11-29T01:15Z 2026-11-29T01:20Z 2026-11-29T01:40Z",
                "0 0 29 2 *     | 2028-02-29T00:00Z 2032-02-29T00:00Z",
                "@hourly        | 2026-11-29T01:00Z 2026-11-29T02:00Z",
                "@daily         | 2026-11-30T00:00Z 2026-12-01T00:00Z",
                "@midnight      | 2026-11-30T00:00Z 2026-12-01T00:00Z",
                "@weekly        | 2026-12-06T00:00Z 2026-12-13T00:00Z",
                "@monthly       | 2026-12-01T00:00Z 2027-01-01T00:00Z",
                "@yearly        | 2027-01-01T00:00Z 2028-01-01T00:00Z",
                "@annually      | 2027-01-01T00:00Z 2028-01-01T00:00Z",
            })
    void firesAsCrontabSays(String expression, String fires) {
        CronSchedule cron = UnixCron.parse(expression).schedule();
        Instant at = Instant.parse("2026-11-29T00:00:00Z");
        List<Instant> expected = Arrays.stream(fires.split(" ", -1))
                .map(fire -> OffsetDateTime.parse(fire).toInstant())
                .toList();
        List<Instant> found = new ArrayList<>();
        for (int i = 0; i < expected.size(); i++) {
            Instant next = cron.next(at, UTC).orElseThrow();
            assertThat(cron.previous(next, UTC)).contains(next);
            found.add(next);
            at = next;
        }
        assertThat(found).isEqualTo(expected);
        assertThat(cron.countBetween(Instant.parse("2026-11-29T00:00:01Z"), at, UTC))
                .isEqualTo(expected.size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "60 * * * *    | MINUTES      | '60' is not between 0 and 59",
                "0 24 * * *    | HOURS        | midnight is hour 0",
                "0 0 0 * *     | DAY_OF_MONTH | '0' is not between 1 and 31",
                "0 0 L * *     | DAY_OF_MONTH | 'L' is no value",
                "0 0 ? * *     | DAY_OF_MONTH | '?' is no value",
                "0 0 1 13 *    | MONTH        | '13' is not between 1 and 12",
                "0 0 * * 8     | DAY_OF_WEEK  | Sunday",
                "5/15 * * * *  | MINUTES      | write a range, 5-59/15",
                "0 22-2 * * *  | HOURS        | runs backwards",
            })
    void refusalNamesTheFieldAndTheRemedy(String expression, CronField field, String words) {
        CronException refusal = catchThrowableOfType(CronException.class, () -> UnixCron.parse(expression));
        assertThat(refusal).hasMessageContaining(words);
        assertThat(refusal.field()).contains(field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "* * * *", "0 0 12 * * ?", "@reboot", "@sometimes"})
    void whatIsNoCrontabExpressionIsRefusedAsAWhole(String expression) {
        assertThatThrownBy(() -> UnixCron.parse(expression)).isInstanceOf(CronException.class);
    }

    @Test
    void quartzFormsTogetherFireAtTheSameTimes() {
        Random random = new Random(5);
        for (int round = 0; round < 500; round++) {
            String expression = random.nextInt(60) + " " + random.nextInt(24) + " "
                    + (random.nextBoolean() ? "*" : 1 + random.nextInt(31)) + " "
                    + (random.nextBoolean() ? "*" : 1 + random.nextInt(12)) + " "
                    + (random.nextBoolean() ? "*" : random.nextInt(4) + "-" + (4 + random.nextInt(4)));
            UnixCron cron = UnixCron.parse(expression);
            List<CronSchedule> forms =
                    cron.quartzForms().stream().map(CronSchedule::parse).toList();
            assertThat(forms).as(expression).isNotEmpty();
            Instant at = Instant.ofEpochSecond(random.nextLong(1_000_000_000L, 2_000_000_000L));
            for (int i = 0; i < 20; i++) {
                Instant after = at;
                Instant earliest = forms.stream()
                        .flatMap(form -> form.next(after, UTC).stream())
                        .min(Instant::compareTo)
                        .orElse(Instant.MAX);
                Instant next = cron.schedule().next(at, UTC).orElse(Instant.MAX);
                assertThat(next).as("%s after %s", expression, at).isEqualTo(earliest);
                at = next;
            }
        }
    }

    @Test
    void dayThatMustMatchBothFieldsHasNoQuartzForm() {
        assertThat(UnixCron.parse("0 12 */2 * 5").quartzForms()).isEmpty();
    }

    @Test
    void fixedTimeInTheRepeatedHourFiresOnceAndARhythmGoesThrough() {
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        Instant from = Instant.parse("2026-10-24T22:00:00Z");
        Instant to = Instant.parse("2026-10-25T22:59:59Z");
        assertThat(UnixCron.parse("30 2 * * *").schedule().countBetween(from, to, berlin))
                .isEqualTo(1);
        assertThat(UnixCron.parse("30 2 * * *").schedule().next(from, berlin))
                .contains(Instant.parse("2026-10-25T01:30:00Z"));
        assertThat(UnixCron.parse("30 * * * *").schedule().countBetween(from, to, berlin))
                .isEqualTo(25);
        assertThat(UnixCron.parse("30 2 * * *").schedule().anomalies(from, to, berlin))
                .hasSize(1);
    }

    @Test
    void weekdayOutOfRangeIsToldByTheNumbersOfACrontab() {
        assertThatThrownBy(() -> UnixCron.parse("* * * * 8")).hasMessageContaining("0 and 7 are Sunday");
    }
}
