package io.latchkey.jobs;

import io.latchkey.conf.Code;
import io.latchkey.conf.Suggestions;
import io.latchkey.jobs.Fields.BadField;
import io.latchkey.jobs.cron.CronException;
import io.latchkey.jobs.cron.CronSchedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.Trigger;
import org.quartz.TriggerKey;

/** Reads what the three kinds of triggers have in common, and what each has of its own. */
final class TriggerReader {
    static final List<String> KINDS = List.of("cron", "simple", "calendar-interval");

    private static final List<String> COMMON = List.of(
            "name",
            "group",
            "description",
            "job-name",
            "job-group",
            "priority",
            "calendar-name",
            "job-data-map",
            "start-time",
            "start-time-seconds-in-future",
            "end-time",
            "misfire-instruction");

    private static final Map<String, List<String>> FIELDS = Map.of(
            "cron", with("cron-expression", "time-zone"),
            "simple", with("repeat-count", "repeat-interval"),
            "calendar-interval", with("repeat-interval", "repeat-interval-unit"));

    private final ZoneId zone;
    private final Report report;

    /** @param zone of triggers, and of dates without an offset */
    TriggerReader(ZoneId zone, Report report) {
        this.zone = zone;
        this.report = report;
    }

    /** The element names of a kind; none if there is no such kind. */
    static List<String> fieldsOf(String kind) {
        return FIELDS.getOrDefault(kind, List.of());
    }

    /** The spec, or null if something is wrong with it; that has then been reported. */
    @Nullable
    TriggerSpec read(String kind, Fields fields, TriggerKey key, JobKey job) {
        int before = report.problems().size();
        fields.text("calendar-name")
                .ifPresent(name -> fields.problem(
                        "calendar-name",
                        "calendar \"" + name + "\" does not exist: no calendar can be defined here",
                        "remove <calendar-name>, and say in the schedule or in the job when not to run"));
        int priority = (int) fields.number("priority", Trigger.DEFAULT_PRIORITY, Integer.MIN_VALUE, Integer.MAX_VALUE);
        Misfire misfire = fields.read("misfire-instruction", text -> MisfireNames.read(kind, text))
                .orElse(Misfire.ONCE);
        Schedule schedule = schedule(kind, fields, window(fields));
        Map<String, @Nullable String> data = fields.data();
        if (schedule == null || report.problems().size() > before) {
            return null;
        }
        return new TriggerSpec(
                key, job, schedule, priority, data, fields.text("description").orElse(null), misfire);
    }

    private Window window(Fields fields) {
        Instant start = instant(fields, "start-time");
        Instant end = instant(fields, "end-time");
        long delay = fields.number("start-time-seconds-in-future", 0, 0, Integer.MAX_VALUE);
        if (fields.text("start-time").isPresent()
                && fields.text("start-time-seconds-in-future").isPresent()) {
            fields.problem("start-time-seconds-in-future", "<start-time> is given too", "keep one of the two");
            return Window.OPEN;
        }
        if (start != null && end != null && !end.isAfter(start)) {
            fields.problem("end-time", "<end-time> is not after <start-time>", "correct one of the two");
            return Window.OPEN;
        }
        return new Window(start, Duration.ofSeconds(delay), end);
    }

    private @Nullable Instant instant(Fields fields, String name) {
        return fields.read(name, text -> Times.instant(name, text, zone)).orElse(null);
    }

    private @Nullable Schedule schedule(String kind, Fields fields, Window window) {
        return switch (kind) {
            case "cron" -> cron(fields, window);
            case "simple" -> simple(fields, window);
            default -> calendarInterval(fields, window);
        };
    }

    private @Nullable Schedule cron(Fields fields, Window window) {
        ZoneId own = fields.read("time-zone", Times::zone).orElse(zone);
        if (fields.required("cron-expression").isEmpty()) {
            return null;
        }
        return fields.read("cron-expression", TriggerReader::cron)
                .map(cron -> new Schedule.Cron(cron, own, window))
                .orElse(null);
    }

    private static CronSchedule cron(String text) {
        try {
            return CronSchedule.parse(text);
        } catch (CronException e) {
            String field = e.field().map(f -> f.label() + " field: ").orElse("");
            throw new BadField(Code.CRON, "cron expression \"" + text + "\": " + field + e.reason(), e.remedy());
        }
    }

    private static @Nullable Schedule simple(Fields fields, Window window) {
        int count = (int) fields.number("repeat-count", 0, Schedule.Simple.FOR_EVER, Integer.MAX_VALUE);
        long interval =
                fields.number("repeat-interval", 0, 0, Duration.ofDays(36_500).toMillis());
        if (count != 0 && interval == 0) {
            fields.problem(
                    "repeat-interval",
                    "it repeats, but <repeat-interval> is missing or 0",
                    "give the interval in milliseconds, such as 60000");
            return null;
        }
        boolean restart = count > 0
                && fields.text("misfire-instruction")
                        .filter(MisfireNames.NOW_WITH_EXISTING_COUNT::equals)
                        .isPresent();
        return new Schedule.Simple(window, count, Duration.ofMillis(interval), restart);
    }

    private @Nullable Schedule calendarInterval(Fields fields, Window window) {
        boolean complete = fields.required("repeat-interval").isPresent();
        complete &= fields.required("repeat-interval-unit").isPresent();
        int interval = (int) fields.number("repeat-interval", 1, 1, 1_000_000);
        Optional<Unit> unit = fields.read("repeat-interval-unit", TriggerReader::unit);
        return complete && unit.isPresent() ? new Schedule.CalendarInterval(window, interval, unit.get(), zone) : null;
    }

    private static Unit unit(String text) {
        List<String> names = Arrays.stream(Unit.values()).map(Unit::name).toList();
        if (names.contains(text)) {
            return Unit.valueOf(text);
        }
        throw new BadField(
                "unknown interval unit \"" + text + "\"",
                Suggestions.nearest(text, names)
                        .map(near -> "did you mean " + near + "?")
                        .orElse("valid: " + String.join(", ", names)));
    }

    private static List<String> with(String... own) {
        return Stream.concat(COMMON.stream(), Stream.of(own)).toList();
    }
}
