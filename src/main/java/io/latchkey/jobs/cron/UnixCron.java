package io.latchkey.jobs.cron;

import io.latchkey.conf.Suggestions;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A crontab's five fields (minutes, hours, day of month, month, day of week from 0 or 7 for Sunday) or a nickname such as
 * {@code @daily}. As in crontab(5), if both day fields are restricted a day needs to match only one of them; a field that
 * begins with "*" does not count as restricted. Fires are at second 0. Shifts of the clocks follow the rule of the package,
 * not that of any cron daemon. Immutable, safe for any thread.
 */
public final class UnixCron {
    private static final Map<String, String> NICKNAMES = Map.of(
            "@YEARLY", "0 0 1 1 *",
            "@ANNUALLY", "0 0 1 1 *",
            "@MONTHLY", "0 0 1 * *",
            "@WEEKLY", "0 0 * * 0",
            "@DAILY", "0 0 * * *",
            "@MIDNIGHT", "0 0 * * *",
            "@HOURLY", "0 * * * *");

    private final List<String> fields;
    private final long weekdays;
    private final CronSchedule schedule;

    private UnixCron(List<String> fields, long weekdays, CronSchedule schedule) {
        this.fields = fields;
        this.weekdays = weekdays;
        this.schedule = schedule;
    }

    /** Whether the text is a crontab's by its looks, sound or not: five fields, or a nickname. */
    static boolean isOne(String expression) {
        return expression.startsWith("@") || expression.split(" ", -1).length == 5;
    }

    /**
     * Reads an expression; letters may be of either case.
     *
     * @throws CronException if it is not valid: with the field, the reason and what to write instead
     */
    public static UnixCron parse(String text) {
        String expression = String.join(" ", text.strip().split("\\s+", -1)).toUpperCase(Locale.ROOT);
        List<String> fields = fields(expression);
        if (fields.size() != 5) {
            throw new CronException(
                    expression,
                    null,
                    fields.size() + " field" + (fields.size() == 1 ? "" : "s") + "; a crontab expression has 5",
                    "minutes hours day-of-month month day-of-week");
        }
        if (expression.indexOf('~') >= 0) {
            throw new CronException(
                    expression,
                    null,
                    "'~' asks for a random time",
                    "name one, so that it is the same on all instances");
        }
        long minutes = FieldParser.unix(expression, CronField.MINUTES).bits(fields.get(0));
        long hours = FieldParser.unix(expression, CronField.HOURS).bits(fields.get(1));
        long days = FieldParser.unix(expression, CronField.DAY_OF_MONTH).bits(fields.get(2));
        long months = FieldParser.unix(expression, CronField.MONTH).bits(fields.get(3));
        long week = FieldParser.unix(expression, CronField.DAY_OF_WEEK).bits(fields.get(4));
        // 0 and 7 are Sunday here; DayRule numbers it 1, and Saturday 7.
        long weekdays = (week << 1 | week >> 6) & Bits.range(1, 7);

        DayRule ofMonth = DayRule.ofMonth(days, 0, 0, 0);
        DayRule ofWeek = DayRule.ofWeek(weekdays);
        DayRule either = eitherDay(fields)
                ? (year, month) -> ofMonth.daysIn(year, month) | ofWeek.daysIn(year, month)
                : (year, month) -> ofMonth.daysIn(year, month) & ofWeek.daysIn(year, month);
        BitSet years = new BitSet();
        years.set(WallTimes.FIRST_YEAR, WallTimes.LAST_YEAR + 1);
        WallTimes wall = new WallTimes(new TimesOfDay(1, minutes, hours), either.within(years, months));
        ZonedTimes times = new ZonedTimes(wall, CronSchedule.isFixed(fields.get(1)));
        return new UnixCron(fields, weekdays, new CronSchedule(expression, times, true));
    }

    /** The five fields of a valid expression, a nickname spelled out. */
    static List<String> fields(String expression) {
        return List.of(spelledOut(expression).split(" ", -1));
    }

    private static String spelledOut(String expression) {
        if (!expression.startsWith("@")) {
            return expression;
        }
        String fields = NICKNAMES.get(expression);
        if (fields == null) {
            String remedy = expression.equals("@REBOOT")
                    ? "a schedule has no such moment: instances come and go"
                    : Suggestions.nearest(
                                    expression,
                                    NICKNAMES.keySet().stream().sorted().toList())
                            .map(near -> "did you mean " + near.toLowerCase(Locale.ROOT) + "?")
                            .orElse("there are @yearly, @monthly, @weekly, @daily and @hourly");
            throw new CronException(expression, null, "no such nickname", remedy);
        }
        return fields;
    }

    private static boolean eitherDay(List<String> fields) {
        return !fields.get(2).startsWith("*") && !fields.get(4).startsWith("*");
    }

    /** When it is due. Its expression is this one in upper case, its fields parted by one blank; a nickname stays one. */
    public CronSchedule schedule() {
        return schedule;
    }

    /**
     * Whether both day fields are restricted, so that a day needs to match only one of them; the opposite of what Quartz
     * and most readers expect.
     */
    public boolean eitherDay() {
        return eitherDay(fields);
    }

    /** Whether a day must match both day fields, for one is a step that begins with "*": cron's oddest rule. */
    public boolean bothDays() {
        return !eitherDay() && !fields.get(2).equals("*") && !fields.get(4).equals("*");
    }

    /**
     * The Quartz expressions that together mean the same: one, or two where a day need match only one of the day fields;
     * none where it must match both.
     */
    public List<String> quartzForms() {
        String start = "0 " + fields.get(0) + " " + fields.get(1) + " ";
        String ofMonth = start + fields.get(2) + " " + fields.get(3) + " ?";
        String ofWeek = start + "? " + fields.get(3) + " " + weekdayNames();
        if (weekdays == Bits.range(1, 7) && !eitherDay(fields)) {
            return List.of(ofMonth);
        }
        if (fields.get(2).equals("*")) {
            return List.of(ofWeek);
        }
        return eitherDay(fields) ? List.of(ofMonth, ofWeek) : List.of();
    }

    /** Names, for the numbers differ between the two kinds of cron; Monday first, and three in a row are a range. */
    private String weekdayNames() {
        List<String> parts = new ArrayList<>();
        int day = 0;
        while (day < 7) {
            int end = day;
            while (end < 7 && Bits.has(weekdays, quartzNumber(end))) {
                end++;
            }
            if (end - day > 2) {
                parts.add(name(day) + "-" + name(end - 1));
            } else {
                for (int each = day; each < end; each++) {
                    parts.add(name(each));
                }
            }
            day = end + 1;
        }
        return String.join(",", parts);
    }

    /** From days counted from Monday as 0. */
    private static int quartzNumber(int day) {
        return (day + 1) % 7 + 1;
    }

    private static String name(int day) {
        return FieldParser.WEEKDAYS.get(quartzNumber(day) - 1).substring(0, 3);
    }
}
