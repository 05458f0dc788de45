package io.latchkey.jobs;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** The units of a calendar interval, by the names that the XML format gives them. */
public enum Unit {
    SECOND(ChronoUnit.SECONDS),
    MINUTE(ChronoUnit.MINUTES),
    HOUR(ChronoUnit.HOURS),
    DAY(ChronoUnit.DAYS),
    WEEK(ChronoUnit.WEEKS),
    MONTH(ChronoUnit.MONTHS),
    YEAR(ChronoUnit.YEARS);

    private final ChronoUnit chrono;

    Unit(ChronoUnit chrono) {
        this.chrono = chrono;
    }

    ChronoUnit chrono() {
        return chrono;
    }

    /** The unit's length where it always has the same; null for those that follow the local calendar. */
    @Nullable
    Duration fixed() {
        return chrono.isTimeBased() ? chrono.getDuration() : null;
    }
}
