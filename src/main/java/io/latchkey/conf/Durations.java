package io.latchkey.conf;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them here: {@code 500ms}, {@code 10s}, {@code 5m}, {@code 1h}, {@code 2d}. */
public final class Durations {
    private static final Pattern FORM = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|h|d)", Pattern.CASE_INSENSITIVE);
    private static final Pattern BARE = Pattern.compile("\\d+");

    private record Unit(String name, long millis) {}

    private static final List<Unit> LARGEST_FIRST =
            List.of(new Unit("d", 86_400_000), new Unit("h", 3_600_000), new Unit("m", 60_000), new Unit("s", 1_000));

    private Durations() {}

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException with a message for the user that says what to write
     */
    public static Duration parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    BARE.matcher(text).matches()
                            ? "has no unit: write " + text + "s for seconds or " + text + "ms for milliseconds"
                            : "is not a duration: write a whole number and a unit, such as 500ms, 10s, 5m, 1h or 2d");
        }
        long amount = Long.parseLong(form.group(1));
        return switch (form.group(2).toLowerCase(Locale.ROOT)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    /** The form {@link #parse} reads, in the largest unit that divides it; parts of a millisecond are dropped. */
    public static String format(Duration duration) {
        long millis = duration.toMillis();
        for (Unit unit : LARGEST_FIRST) {
            if (millis != 0 && millis % unit.millis() == 0) {
                return millis / unit.millis() + unit.name();
            }
        }
        return millis == 0 ? "0s" : millis + "ms";
    }
}
