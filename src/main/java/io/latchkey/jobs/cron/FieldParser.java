package io.latchkey.jobs.cron;

import java.util.BitSet;
import java.util.List;

/**
 * Reads the part of cron's syntax that all fields share: lists of values, ranges, steps and names.
 *
 * @param expression the whole expression, for messages
 * @param field the field
 * @param min the smallest value
 * @param max the largest value
 * @param names full names, the first of which stands for {@code min}; three letters or more of one are enough
 * @param quartz whether Quartz's liberties hold: a range may run past the end (22-2), a step may follow one value (7/5)
 */
record FieldParser(String expression, CronField field, int min, int max, List<String> names, boolean quartz) {
    static final List<String> MONTHS = List.of(
            "JANUARY",
            "FEBRUARY",
            "MARCH",
            "APRIL",
            "MAY",
            "JUNE",
            "JULY",
            "AUGUST",
            "SEPTEMBER",
            "OCTOBER",
            "NOVEMBER",
            "DECEMBER");
    static final List<String> WEEKDAYS =
            List.of("SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY");

    static FieldParser quartz(String expression, CronField field) {
        return of(expression, field, field.min(), field.max(), true);
    }

    static FieldParser unix(String expression, CronField field) {
        return field == CronField.DAY_OF_WEEK
                ? of(expression, field, 0, 7, false)
                : of(expression, field, field.min(), field.max(), false);
    }

    private static FieldParser of(String expression, CronField field, int min, int max, boolean quartz) {
        List<String> names = switch (field) {
            case MONTH -> MONTHS;
            case DAY_OF_WEEK -> WEEKDAYS;
            default -> List.of();
        };
        return new FieldParser(expression, field, min, max, names, quartz);
    }

    /** The values of a whole field, an upper-case list; "*" is all of them. */
    BitSet values(String text) {
        BitSet values = new BitSet();
        for (String item : items(text)) {
            add(item, values);
        }
        return values;
    }

    /** The same as {@link #values}, as bits; for fields other than the year. */
    long bits(String text) {
        long[] words = values(text).toLongArray();
        return words.length == 0 ? 0 : words[0];
    }

    List<String> items(String text) {
        List<String> items = List.of(text.split(",", -1));
        if (items.contains("")) {
            throw fault("an empty entry in the list '" + text + "'", "remove the comma too many");
        }
        return items;
    }

    void add(String item, BitSet values) {
        int slash = item.indexOf('/');
        String range = slash < 0 ? item : item.substring(0, slash);
        int dash = range.indexOf('-');
        int low;
        int high;
        if (range.equals("*") || (quartz && range.isEmpty())) {
            low = min;
            high = max;
        } else if (dash > 0) {
            low = value(range.substring(0, dash));
            high = value(range.substring(dash + 1));
            if (!quartz && field == CronField.DAY_OF_WEEK && high == 0) {
                high = 7;
            }
        } else {
            low = value(range);
            if (slash >= 0 && !quartz) {
                throw fault(
                        "a step after a single value, '" + item + "'",
                        "write a range, " + range + "-" + max + item.substring(slash));
            }
            high = slash < 0 ? low : max;
        }
        int step = slash < 0 ? 1 : step(item.substring(slash + 1), item);
        if (low > high && (!quartz || field == CronField.YEAR)) {
            throw fault("the range '" + range + "' runs backwards", "write " + high + "-" + low);
        }
        int size = max - min + 1;
        int end = low > high ? high + size : high;
        for (int value = low; value <= end; value += step) {
            values.set(value > max ? value - size : value);
        }
    }

    int value(String text) {
        int named = named(text);
        if (named >= 0) {
            return named;
        }
        if (!number(text)) {
            String expected = names.isEmpty()
                    ? "a number from " + min + " to " + max
                    : "a number from " + min + " to " + max + " or a name such as "
                            + names.get(0).substring(0, 3);
            throw fault("'" + text + "' is no value", "it takes " + expected);
        }
        int value = text.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(text);
        if (value < min || value > max) {
            throw fault("'" + text + "' is not between " + min + " and " + max, outOfRange(value));
        }
        return value;
    }

    private int named(String text) {
        for (int i = 0; i < names.size(); i++) {
            if (text.length() >= 3 && names.get(i).startsWith(text)) {
                return min + i;
            }
        }
        return -1;
    }

    private int step(String text, String item) {
        if (!number(text)) {
            throw fault("no whole number after '/' in '" + item + "'", "write for instance */5");
        }
        int step = text.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(text);
        int largest = field == CronField.YEAR ? max - min : Math.max(max, max - min);
        if (step < 1 || step > largest) {
            throw fault(
                    "the step '/" + text + "' is not between 1 and " + largest,
                    field == CronField.SECONDS || field == CronField.MINUTES
                            ? "a step counts within one field; for longer intervals use the next field or a simple"
                                    + " trigger"
                            : "a step counts within one field");
        }
        return step;
    }

    private String outOfRange(int value) {
        return switch (field) {
            case HOURS -> value == 24 ? "midnight is hour 0 of the day that begins" : "";
            case DAY_OF_WEEK ->
                value >= WallTimes.FIRST_YEAR && value <= WallTimes.LAST_YEAR
                        ? "a year goes in the seventh place: put ? in the day-of-week place before it"
                        : quartz
                                ? "1 is Sunday and 7 is Saturday; names such as MON are safer"
                                : "0 and 7 are Sunday, 6 is Saturday";
            default -> "";
        };
    }

    private static boolean number(String text) {
        return !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    CronException fault(String reason, String remedy) {
        return new CronException(expression, field, reason, remedy);
    }
}
