package io.latchkey.jobs.cron;

import io.latchkey.conf.Code;
import java.time.Month;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;

/** Finds what people mistake in expressions that are valid. */
final class CronSlips {
    /** Of the day-of-week field: numbers of days, not those of a step or of the nth day. */
    private static final Pattern WEEKDAY = Pattern.compile("(?<![#/\\d])[0-7](?!\\d)");

    private static final Pattern DAYS = Pattern.compile("\\d+(,\\d+)*");
    private static final int SHORTEST_MONTH = 28;

    private CronSlips() {}

    static List<CronSlip> of(String expression) {
        boolean unix = UnixCron.isOne(expression);
        List<String> fields = unix ? UnixCron.fields(expression) : List.of(expression.split(" ", -1));
        List<CronSlip> slips = new ArrayList<>();
        int shift = unix ? 1 : 0;
        if (!unix) {
            weekdayNumbers(fields.get(CronField.DAY_OF_WEEK.place()), slips);
            everySecond(fields, slips);
        }
        shortMonths(
                expression,
                fields.get(CronField.DAY_OF_MONTH.place() - shift),
                fields.get(CronField.MONTH.place() - shift),
                unix,
                slips);
        return slips;
    }

    private static void weekdayNumbers(String field, List<CronSlip> slips) {
        if (!WEEKDAY.matcher(field).find()) {
            return;
        }
        String here = named(field, number -> number - 1);
        String there = named(field, number -> number % 7);
        slips.add(new CronSlip(
                Code.WEEKDAY_NUMBER,
                "day-of-week " + field + " is " + here + ", for Quartz counts from 1 for Sunday, where a crontab counts"
                        + " from 0",
                "write " + here + ", or " + there + " if that is meant"));
    }

    private static String named(String field, IntUnaryOperator index) {
        return WEEKDAY.matcher(field).replaceAll(match -> {
            int day = index.applyAsInt(Integer.parseInt(match.group()));
            return FieldParser.WEEKDAYS.get(day).substring(0, 3);
        });
    }

    private static void everySecond(List<String> fields, List<CronSlip> slips) {
        String seconds = fields.get(CronField.SECONDS.place());
        boolean restricted = !fields.get(CronField.MINUTES.place()).equals("*")
                || !fields.get(CronField.HOURS.place()).equals("*");
        if (seconds.equals("*") && restricted) {
            slips.add(new CronSlip(
                    Code.SHORT_INTERVAL,
                    "it fires every second of each minute that it names",
                    "write 0 in the seconds field for once a minute"));
        }
    }

    private static void shortMonths(String expression, String days, String months, boolean unix, List<CronSlip> slips) {
        if (!DAYS.matcher(days).matches()) {
            return;
        }
        int first = Arrays.stream(days.split(",", -1))
                .mapToInt(Integer::parseInt)
                .min()
                .orElse(0);
        if (first <= SHORTEST_MONTH) {
            return;
        }
        FieldParser parser =
                unix ? FieldParser.unix(expression, CronField.MONTH) : FieldParser.quartz(expression, CronField.MONTH);
        long named = parser.bits(months);
        List<String> without = Arrays.stream(Month.values())
                .filter(month -> Bits.has(named, month.getValue()) && month.minLength() < first)
                .map(month -> FieldParser.MONTHS.get(month.getValue() - 1).substring(0, 3))
                .toList();
        if (!without.isEmpty() && without.size() < Long.bitCount(named)) {
            slips.add(new CronSlip(
                    Code.SHORT_MONTHS,
                    "there is no run in a month without day " + first + ": " + String.join(", ", without),
                    unix
                            ? "name days 28-31 and let the command see whether it is the last of its month"
                            : "write L for the last day of each month"));
        }
    }
}
