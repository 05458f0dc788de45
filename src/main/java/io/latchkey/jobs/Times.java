package io.latchkey.jobs;

import io.latchkey.conf.Code;
import io.latchkey.conf.Zones;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;

/** Dates and zones as job files write them. */
final class Times {
    /** XML's dateTime: fraction and offset may be left out. */
    private static final DateTimeFormatter DATE_TIME = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
            .optionalStart()
            .appendOffsetId()
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);

    private Times() {}

    /** The instant; one without an offset is local time in {@code zone}. 24:00:00 is the midnight that ends the day. */
    static Instant instant(String name, String text, ZoneId zone) {
        boolean endOfDay = text.matches("[^T]*T24:00:00(\\.0+)?([Z+-].*)?");
        String plain = endOfDay ? text.replace("T24:", "T00:") : text;
        try {
            TemporalAccessor parsed = DATE_TIME.parseBest(plain, OffsetDateTime::from, LocalDateTime::from);
            if (parsed instanceof OffsetDateTime time) {
                return time.plusDays(endOfDay ? 1 : 0).toInstant();
            }
            LocalDateTime time = LocalDateTime.from(parsed).plusDays(endOfDay ? 1 : 0);
            return time.atZone(zone).toInstant();
        } catch (DateTimeParseException e) {
            throw new Fields.BadField("<" + name + "> is \"" + text + "\", no date and time", example(text));
        }
    }

    private static String example(String text) {
        try {
            return "write the time of day too: " + LocalDate.parse(text) + "T00:00:00";
        } catch (DateTimeParseException e) {
            // Not even a date: show the form as a whole.
            return "write it as 2027-01-31T09:00:00, with Z or an offset such as +01:00 if it is not in jobs.time-zone";
        }
    }

    /** The zone of that name. An unknown one is refused; Quartz would take it for GMT. */
    static ZoneId zone(String text) {
        return Zones.find(text)
                .orElseThrow(
                        () -> new Fields.BadField(Code.ZONE, "unknown time zone \"" + text + "\"", Zones.remedy(text)));
    }
}
