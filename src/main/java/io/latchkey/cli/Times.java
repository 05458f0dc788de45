package io.latchkey.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Times as people read them: the instant in UTC, and how far away it is. */
final class Times {
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofMinutes(1);

    private Times() {}

    /** To the second. */
    static String at(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Such as {@code 2026-11-29T12:00:00Z, 5 s ago} or {@code ..., in 5 s}. */
    static String relative(Instant instant, Instant now) {
        return at(instant) + ", " + distance(instant, now);
    }

    /** Such as {@code 5 s ago} or {@code in 5 s}. */
    static String distance(Instant instant, Instant now) {
        return instant.isAfter(now)
                ? "in " + StatusText.ago(Duration.between(now, instant).plusMillis(999))
                : StatusText.ago(Duration.between(instant, now)) + " ago";
    }

    /** How long something took. */
    static String took(Duration duration) {
        if (duration.compareTo(SHORT) < 0) {
            return duration.toMillis() + " ms";
        }
        return duration.compareTo(LONG) < 0
                ? String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0)
                : StatusText.ago(duration);
    }
}
