package io.latchkey.cli;

import io.latchkey.lifecycle.ExitCode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;

/** Times as people type them: a date, with or without a time of day, with or without an offset or zone. */
final class GivenTimes {
    private static final DateTimeFormatter FORM = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .append(DateTimeFormatter.ISO_LOCAL_DATE)
            .optionalStart()
            .appendPattern("[ ]['T']")
            .append(DateTimeFormatter.ISO_LOCAL_TIME)
            .optionalStart()
            .appendPattern("[ ]")
            .appendOffset("+HH:mm", "Z")
            .optionalEnd()
            .optionalStart()
            .appendLiteral('[')
            .appendZoneRegionId()
            .appendLiteral(']')
            .optionalEnd()
            .optionalEnd()
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);

    private GivenTimes() {}

    /** The instant; one without an offset is local time in {@code zone}, a date its first moment. */
    static Instant instant(String option, String text, ZoneId zone) throws CliException {
        TemporalAccessor parsed;
        try {
            parsed = FORM.parseBest(
                    text.strip(), ZonedDateTime::from, OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
        } catch (DateTimeParseException e) {
            throw new CliException(
                    ExitCode.CONFIG,
                    option + " is \"" + Printable.text(text)
                            + "\", no date and time: write it like 2026-10-25, 2026-10-25T02:30 or"
                            + " 2026-10-25T00:30:00Z",
                    e);
        }
        if (parsed instanceof LocalDate date) {
            return date.atStartOfDay(zone).toInstant();
        }
        if (parsed instanceof LocalDateTime time) {
            return time.atZone(zone).toInstant();
        }
        return Instant.ofEpochSecond(
                parsed.getLong(ChronoField.INSTANT_SECONDS), parsed.get(ChronoField.NANO_OF_SECOND));
    }
}
