package io.latchkey.view;

import io.latchkey.jobs.JobCatalog;
import io.latchkey.jobs.JobSpec;
import io.latchkey.jobs.Schedule;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.jobs.Window;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.KeyText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.quartz.TriggerKey;

/**
 * A job as the configuration of the one who answers has it.
 *
 * @param type its class
 * @param description its author's, null without one
 * @param concurrent whether its runs may overlap
 * @param recover whether a fire whose instance died is run again
 * @param data its data, redacted
 * @param triggers its triggers
 */
public record ConfView(
        String type,
        @Nullable String description,
        boolean concurrent,
        boolean recover,
        Map<String, @Nullable String> data,
        List<Trigger> triggers) {

    /**
     * One trigger.
     *
     * @param trigger its name
     * @param schedule when it is due, in words or as a cron expression
     * @param zone the time zone it is meant in; null where none matters
     * @param misfire what becomes of missed slots
     * @param description its author's, null without one
     * @param data its data, redacted
     * @param next its next slots, the oldest undecided one first
     */
    public record Trigger(
            String trigger,
            String schedule,
            @Nullable String zone,
            String misfire,
            @Nullable String description,
            Map<String, @Nullable String> data,
            List<Instant> next) {}

    /**
     * A job of a catalog.
     *
     * @param cursors the places of its triggers, as far as they have one
     * @param times how many next slots to work out for each trigger
     */
    public static ConfView of(
            JobSpec job, JobCatalog catalog, Map<TriggerKey, Cursor> cursors, int times, Redaction redaction) {
        return new ConfView(
                job.type().getName(),
                job.description(),
                !job.nonConcurrent(),
                job.recover(),
                redaction.of(job.data()),
                catalog.triggersOf(job.key()).stream()
                        .map(spec -> trigger(spec, cursors.get(spec.key()), times, redaction))
                        .toList());
    }

    private static Trigger trigger(TriggerSpec spec, @Nullable Cursor cursor, int times, Redaction redaction) {
        return new Trigger(
                KeyText.of(spec.key()),
                text(spec.schedule()),
                zone(spec.schedule()),
                spec.misfire().name(),
                spec.description(),
                redaction.of(spec.data()),
                cursor == null ? List.of() : next(spec, cursor, times));
    }

    private static List<Instant> next(TriggerSpec spec, Cursor cursor, int times) {
        List<Instant> out = new ArrayList<>();
        Instant next = cursor.next();
        while (next != null && out.size() < times) {
            out.add(next);
            Optional<Instant> after = spec.schedule().next(next, cursor.anchor().start());
            next = after.orElse(null);
        }
        return out;
    }

    private static String text(Schedule schedule) {
        String when;
        if (schedule instanceof Schedule.Cron cron) {
            when = cron.expression();
        } else if (schedule instanceof Schedule.Simple simple) {
            when = simple.repeatCount() == 0
                    ? "once"
                    : "every " + io.latchkey.conf.Durations.format(simple.interval())
                            + (simple.repeatCount() == Schedule.Simple.FOR_EVER
                                    ? ""
                                    : ", " + (simple.repeatCount() + 1L) + " times");
        } else {
            Schedule.CalendarInterval calendar = (Schedule.CalendarInterval) schedule;
            String unit = calendar.unit().name().toLowerCase(java.util.Locale.ROOT);
            when = calendar.interval() == 1 ? "every " + unit : "every " + calendar.interval() + " " + unit + "s";
        }
        Window window = schedule.window();
        return when
                + (window.start() == null ? "" : ", from " + window.start())
                + (window.end() == null ? "" : ", until " + window.end());
    }

    private static @Nullable String zone(Schedule schedule) {
        if (schedule instanceof Schedule.Cron cron) {
            return cron.zone().getId();
        }
        return schedule instanceof Schedule.CalendarInterval calendar
                ? calendar.zone().getId()
                : null;
    }
}
