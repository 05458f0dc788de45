package io.latchkey.jobs.cron;

import java.time.LocalDate;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/** The fires of a schedule as wall-clock times, before any zone is asked; from 1970 to 2199. */
record WallTimes(TimesOfDay times, DayRule days) {
    static final int FIRST_YEAR = CronField.YEAR.min();
    static final int LAST_YEAR = CronField.YEAR.max();

    @Nullable
    LocalDateTime atOrAfter(LocalDateTime from) {
        int year = from.getYear();
        int month = from.getMonthValue();
        int day = from.getDayOfMonth();
        if (year < FIRST_YEAR) {
            return atOrAfter(LocalDateTime.of(FIRST_YEAR, 1, 1, 0, 0));
        }
        if (year > LAST_YEAR) {
            return null;
        }
        long candidates = days.daysIn(year, month);
        if (Bits.has(candidates, day)) {
            int second = times.atOrAfter(from.toLocalTime().toSecondOfDay());
            if (second >= 0) {
                return at(year, month, day, second);
            }
        }
        day = Bits.atOrAbove(candidates, day + 1);
        while (day < 0) {
            month++;
            if (month > 12) {
                month = 1;
                year++;
                if (year > LAST_YEAR) {
                    return null;
                }
            }
            day = Bits.atOrAbove(days.daysIn(year, month), 1);
        }
        return at(year, month, day, times.first());
    }

    @Nullable
    LocalDateTime atOrBefore(LocalDateTime from) {
        int year = from.getYear();
        int month = from.getMonthValue();
        int day = from.getDayOfMonth();
        if (year > LAST_YEAR) {
            return atOrBefore(LocalDateTime.of(LAST_YEAR, 12, 31, 23, 59, 59));
        }
        if (year < FIRST_YEAR) {
            return null;
        }
        long candidates = days.daysIn(year, month);
        if (Bits.has(candidates, day)) {
            int second = times.atOrBefore(from.toLocalTime().toSecondOfDay());
            if (second >= 0) {
                return at(year, month, day, second);
            }
        }
        day = Bits.atOrBelow(candidates, day - 1);
        while (day < 0) {
            month--;
            if (month < 1) {
                month = 12;
                year--;
                if (year < FIRST_YEAR) {
                    return null;
                }
            }
            day = Bits.highest(days.daysIn(year, month));
        }
        return at(year, month, day, times.last());
    }

    /** How many fires lie in [from, to). */
    long count(LocalDateTime from, LocalDateTime to) {
        if (!from.isBefore(to)) {
            return 0;
        }
        // Whole days up to either bound; then the part of the day either bound cuts off.
        return countDays(from.toLocalDate(), to.toLocalDate()) * times.perDay() + countBefore(to) - countBefore(from);
    }

    private long countBefore(LocalDateTime bound) {
        LocalDate date = bound.toLocalDate();
        return countDays(date, date.plusDays(1)) == 0
                ? 0
                : times.countBefore(bound.toLocalTime().toSecondOfDay());
    }

    private long countDays(LocalDate from, LocalDate to) {
        long count = 0;
        LocalDate month = from.withDayOfMonth(1);
        while (month.isBefore(to)) {
            LocalDate next = month.plusMonths(1);
            int low = month.isBefore(from) ? from.getDayOfMonth() : 1;
            int high = next.isAfter(to) ? to.getDayOfMonth() - 1 : 31;
            count += Long.bitCount(days.daysIn(month.getYear(), month.getMonthValue()) & Bits.range(low, high));
            month = next;
        }
        return count;
    }

    private static LocalDateTime at(int year, int month, int day, int secondOfDay) {
        return LocalDate.of(year, month, day).atStartOfDay().plusSeconds(secondOfDay);
    }
}
