package io.latchkey.jobs.cron;

/** Small sets of numbers from 0 to 62, in a long. */
final class Bits {
    private Bits() {}

    static boolean has(long bits, int value) {
        return (bits & bit(value)) != 0;
    }

    static long bit(int value) {
        return 1L << value;
    }

    /** The bits from {@code low} to {@code high}, both included; none if low is above high. */
    static long range(int low, int high) {
        return low > high ? 0 : below(high + 1) & ~below(low);
    }

    /** The smallest member of at least {@code value}, or -1. */
    static int atOrAbove(long bits, int value) {
        long rest = bits & ~below(value);
        return rest == 0 ? -1 : Long.numberOfTrailingZeros(rest);
    }

    /** The largest member of at most {@code value}, or -1. */
    static int atOrBelow(long bits, int value) {
        long rest = value < 0 ? 0 : bits & below(value + 1);
        return rest == 0 ? -1 : 63 - Long.numberOfLeadingZeros(rest);
    }

    static int lowest(long bits) {
        return atOrAbove(bits, 0);
    }

    static int highest(long bits) {
        return atOrBelow(bits, 62);
    }

    static int countBelow(long bits, int value) {
        return Long.bitCount(bits & below(value));
    }

    private static long below(int value) {
        return bit(value) - 1;
    }
}
