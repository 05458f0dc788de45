package io.latchkey.jobs.cron;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.BitSet;

/** Which days of a month a schedule names. */
@FunctionalInterface
interface DayRule {
    /** The days as bits 1 to 31; 0 for a month without any. */
    long daysIn(int year, int month);

    /** This rule in the given years and months (bits 1 to 12) alone. */
    default DayRule within(BitSet years, long months) {
        BitSet own = (BitSet) years.clone();
        return (year, month) -> own.get(year) && Bits.has(months, month) ? daysIn(year, month) : 0;
    }

    static int length(int year, int month) {
        return YearMonth.of(year, month).lengthOfMonth();
    }

    /** Numbered as Quartz does: 1 is Sunday, 7 is Saturday. */
    static int weekday(int year, int month, int day) {
        return LocalDate.of(year, month, day).getDayOfWeek().getValue() % 7 + 1;
    }

    /**
     * Days by their number, counted from the start or the end of the month. Bit k of the two "last" sets is the k-th day
     * before the last. The "nearest" sets move a day on the weekend to the nearest Monday to Friday of the same month.
     */
    static DayRule ofMonth(long days, long last, long nearest, long lastNearest) {
        return (year, month) -> {
            int length = length(year, month);
            long result = days & Bits.range(1, length);
            for (int day = 1; (last | nearest | lastNearest) != 0 && day <= length; day++) {
                int fromEnd = length - day;
                if (Bits.has(last, fromEnd)) {
                    result |= Bits.bit(day);
                }
                if (Bits.has(nearest, day) || Bits.has(lastNearest, fromEnd)) {
                    result |= Bits.bit(nearestWorkday(year, month, day, length));
                }
            }
            return result;
        };
    }

    /** Every one of the given weekdays (bits 1 to 7, 1 is Sunday). */
    static DayRule ofWeek(long weekdays) {
        return (year, month) -> {
            int length = length(year, month);
            int weekday = weekday(year, month, 1);
            long result = 0;
            for (int day = 1; day <= length; day++) {
                if (Bits.has(weekdays, weekday)) {
                    result |= Bits.bit(day);
                }
                weekday = weekday % 7 + 1;
            }
            return result;
        };
    }

    /** The nth of a weekday, 1 to 5; none in a month that has no such day. */
    static DayRule nth(int weekday, int nth) {
        return (year, month) -> {
            int day = 1 + Math.floorMod(weekday - weekday(year, month, 1), 7) + 7 * (nth - 1);
            return day <= length(year, month) ? Bits.bit(day) : 0;
        };
    }

    /** The last of a weekday. */
    static DayRule last(int weekday) {
        return (year, month) -> {
            int length = length(year, month);
            return Bits.bit(length - Math.floorMod(weekday(year, month, length) - weekday, 7));
        };
    }

    private static int nearestWorkday(int year, int month, int day, int length) {
        DayOfWeek weekday = LocalDate.of(year, month, day).getDayOfWeek();
        return switch (weekday) {
            case SATURDAY -> day == 1 ? 3 : day - 1;
            case SUNDAY -> day == length ? day - 2 : day + 1;
            default -> day;
        };
    }
}
