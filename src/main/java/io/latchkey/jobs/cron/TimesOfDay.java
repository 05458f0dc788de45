package io.latchkey.jobs.cron;

/**
 * The times of a day a schedule names, as sets of bits. Times are seconds of the day, 0 to 86,399; -1 stands for none.
 *
 * @param seconds bits 0 to 59
 * @param minutes bits 0 to 59
 * @param hours bits 0 to 23
 */
record TimesOfDay(long seconds, long minutes, long hours) {
    private static final int HOUR = 3600;
    private static final int MINUTE = 60;

    TimesOfDay {
        if (seconds == 0 || minutes == 0 || hours == 0) {
            throw new IllegalArgumentException("a schedule without any time of day");
        }
    }

    /** How many times a whole day holds. */
    long perDay() {
        return Long.bitCount(hours) * perHour();
    }

    int first() {
        return atOrAfter(0);
    }

    int last() {
        return atOrBefore(24 * HOUR - 1);
    }

    int atOrAfter(int secondOfDay) {
        int hour = secondOfDay / HOUR;
        int minute = secondOfDay / MINUTE % 60;
        int second = secondOfDay % 60;
        if (Bits.has(hours, hour)) {
            if (Bits.has(minutes, minute)) {
                int s = Bits.atOrAbove(seconds, second);
                if (s >= 0) {
                    return hour * HOUR + minute * MINUTE + s;
                }
            }
            int m = Bits.atOrAbove(minutes, minute + 1);
            if (m >= 0) {
                return hour * HOUR + m * MINUTE + Bits.lowest(seconds);
            }
        }
        int h = Bits.atOrAbove(hours, hour + 1);
        return h < 0 ? -1 : h * HOUR + Bits.lowest(minutes) * MINUTE + Bits.lowest(seconds);
    }

    int atOrBefore(int secondOfDay) {
        int hour = secondOfDay / HOUR;
        int minute = secondOfDay / MINUTE % 60;
        int second = secondOfDay % 60;
        if (Bits.has(hours, hour)) {
            if (Bits.has(minutes, minute)) {
                int s = Bits.atOrBelow(seconds, second);
                if (s >= 0) {
                    return hour * HOUR + minute * MINUTE + s;
                }
            }
            int m = Bits.atOrBelow(minutes, minute - 1);
            if (m >= 0) {
                return hour * HOUR + m * MINUTE + Bits.highest(seconds);
            }
        }
        int h = Bits.atOrBelow(hours, hour - 1);
        return h < 0 ? -1 : h * HOUR + Bits.highest(minutes) * MINUTE + Bits.highest(seconds);
    }

    /** How many times lie before {@code secondOfDay}. */
    long countBefore(int secondOfDay) {
        int hour = secondOfDay / HOUR;
        int minute = secondOfDay / MINUTE % 60;
        int second = secondOfDay % 60;
        long count = Bits.countBelow(hours, hour) * perHour();
        if (Bits.has(hours, hour)) {
            count += Bits.countBelow(minutes, minute) * (long) Long.bitCount(seconds);
            if (Bits.has(minutes, minute)) {
                count += Bits.countBelow(seconds, second);
            }
        }
        return count;
    }

    private long perHour() {
        return (long) Long.bitCount(minutes) * Long.bitCount(seconds);
    }
}
