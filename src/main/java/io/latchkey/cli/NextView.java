package io.latchkey.cli;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.latchkey.jobs.Upcoming;
import io.latchkey.ledger.KeyText;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/**
 * Fires to come. Its fields are those of {@code next --json}.
 *
 * @param from the first instant that was looked at
 * @param fires by their time
 * @param clockChanges those between {@code from} and the last fire, by their time
 */
record NextView(Instant from, List<Fire> fires, List<ClockChange> clockChanges) {
    NextView {
        fires = List.copyOf(fires);
        clockChanges = List.copyOf(clockChanges);
    }

    /**
     * One fire.
     *
     * @param at when
     * @param local the same on the clocks of the zone, with its offset
     * @param zone the trigger's own, or the one asked for
     * @param startsWhenSeen whether the time is right only if the trigger is first seen now, for it names no start
     */
    record Fire(
            Instant at,
            String local,
            String zone,
            String job,
            String trigger,
            boolean startsWhenSeen,
            @JsonIgnore ZonedDateTime clock,
            @JsonIgnore JobKey jobKey,
            @JsonIgnore TriggerKey triggerKey) {
        static Fire of(Upcoming.Fire fire, @Nullable ZoneId shown) {
            ZonedDateTime clock = fire.at().atZone(shown == null ? fire.zone() : shown);
            return new Fire(
                    fire.at(),
                    clock.format(DateTimeFormatter.ISO_OFFSET_DATE_TIME),
                    clock.getZone().getId(),
                    KeyText.of(fire.job()),
                    KeyText.of(fire.trigger()),
                    fire.startsWhenSeen(),
                    clock,
                    fire.job(),
                    fire.trigger());
        }
    }

    /**
     * The clocks of a zone go forward or back.
     *
     * @param at when
     * @param zone whose
     * @param offsetBefore from UTC
     * @param offsetAfter from UTC
     * @param effects what becomes of fires at the times that are skipped or come twice
     */
    record ClockChange(
            Instant at,
            String zone,
            String offsetBefore,
            String offsetAfter,
            List<Effect> effects,
            @JsonIgnore boolean forward) {
        static ClockChange of(Upcoming.Shift shift) {
            return new ClockChange(
                    shift.transition().getInstant(),
                    shift.zone().getId(),
                    shift.transition().getOffsetBefore().toString(),
                    shift.transition().getOffsetAfter().toString(),
                    shift.fires().stream()
                            .map(fire -> new Effect(
                                    KeyText.of(fire.job()),
                                    KeyText.of(fire.trigger()),
                                    fire.anomaly().describe(),
                                    fire.trigger()))
                            .toList(),
                    shift.transition().isGap());
        }
    }

    /** What a change of the clocks does to a trigger's fires, in a sentence. */
    record Effect(
            String job,
            String trigger,
            String effect,
            @JsonIgnore TriggerKey triggerKey) {}

    static NextView of(Upcoming upcoming, Instant from, @Nullable ZoneId shown) {
        return new NextView(
                from,
                upcoming.fires().stream().map(fire -> Fire.of(fire, shown)).toList(),
                upcoming.shifts().stream().map(ClockChange::of).toList());
    }
}
