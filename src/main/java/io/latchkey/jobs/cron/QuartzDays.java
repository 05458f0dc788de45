package io.latchkey.jobs.cron;

import java.util.BitSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Quartz's two day fields, of which one must be "?". */
final class QuartzDays {
    private static final Pattern LAST = Pattern.compile("L(?:-(\\d{1,3}))?(W)?");
    private static final Pattern NEAREST = Pattern.compile("(\\d{1,3})W");
    private static final int MAX_BEFORE_LAST = 30;

    private QuartzDays() {}

    static DayRule ofMonth(String expression, String text) {
        FieldParser parser = FieldParser.quartz(expression, CronField.DAY_OF_MONTH);
        BitSet days = new BitSet();
        long last = 0;
        long nearest = 0;
        long lastNearest = 0;
        for (String item : parser.items(text)) {
            Matcher fromEnd = LAST.matcher(item);
            Matcher workday = NEAREST.matcher(item);
            if (fromEnd.matches()) {
                int before = fromEnd.group(1) == null ? 0 : Integer.parseInt(fromEnd.group(1));
                if (before > MAX_BEFORE_LAST) {
                    throw parser.fault("'" + item + "' lies before every month's first day", "L-30 is the earliest");
                }
                if (fromEnd.group(2) == null) {
                    last |= Bits.bit(before);
                } else {
                    lastNearest |= Bits.bit(before);
                }
            } else if (workday.matches()) {
                nearest |= Bits.bit(parser.value(workday.group(1)));
            } else if (item.indexOf('#') >= 0) {
                throw parser.fault("'#' counts weekdays", "put " + item + " in the day-of-week place and ? here");
            } else {
                parser.add(item, days);
            }
        }
        return DayRule.ofMonth(days.isEmpty() ? 0 : days.toLongArray()[0], last, nearest, lastNearest);
    }

    static DayRule ofWeek(String expression, String text) {
        FieldParser parser = FieldParser.quartz(expression, CronField.DAY_OF_WEEK);
        if (text.equals("L")) {
            return DayRule.ofWeek(Bits.bit(CronField.DAY_OF_WEEK.max()));
        }
        int hash = text.indexOf('#');
        boolean last = text.endsWith("L");
        if ((hash >= 0 || last || parser.items(text).contains("L")) && text.indexOf(',') >= 0) {
            throw parser.fault(
                    "'#' and 'L' stand alone, not in a list such as '" + text + "'", "make a trigger of each entry");
        }
        if (hash >= 0) {
            String nth = text.substring(hash + 1);
            if (!nth.matches("[1-5]")) {
                throw parser.fault("'" + nth + "' after '#' is not between 1 and 5", "6#3 is the third Friday");
            }
            return DayRule.nth(parser.value(text.substring(0, hash)), nth.charAt(0) - '0');
        }
        return last
                ? DayRule.last(parser.value(text.substring(0, text.length() - 1)))
                : DayRule.ofWeek(parser.bits(text));
    }
}
