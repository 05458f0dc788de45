package io.latchkey.jobs;

import io.latchkey.jobs.cron.ZoneAnomaly;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/**
 * When jobs are due next, by the same classes that make the fires of a leader, but without a ledger: what is paused, caught
 * up or late is not known here. Immutable.
 *
 * @param fires in the order of time
 * @param shifts of the clocks between the first instant asked for and the last fire
 */
public record Upcoming(List<Fire> fires, List<Shift> shifts) {
    public Upcoming {
        fires = List.copyOf(fires);
        shifts = List.copyOf(shifts);
    }

    /**
     * One fire to come.
     *
     * @param zone whose clocks the trigger goes by; that of jobs.time-zone for one that counts elapsed time
     * @param startsWhenSeen whether the instant is right only for a trigger that the cluster sees first now
     */
    public record Fire(Instant at, ZoneId zone, JobKey job, TriggerKey trigger, boolean startsWhenSeen) {}

    /**
     * The clocks of a zone are moved.
     *
     * @param fires what becomes of the fires that this skips or repeats; empty if there are none
     */
    public record Shift(ZoneOffsetTransition transition, ZoneId zone, List<Affected> fires) {
        public Shift {
            fires = List.copyOf(fires);
        }
    }

    /** Fires of a trigger that a shift of the clocks skips or repeats. */
    public record Affected(JobKey job, TriggerKey trigger, ZoneAnomaly anomaly) {}

    /**
     * The next fires of each job, {@code count} at most, at {@code from} or later.
     *
     * @param now when triggers without a start of their own are taken to be first seen
     * @param zone of triggers that count elapsed time
     */
    public static Upcoming of(
            JobCatalog catalog, List<JobKey> jobs, Instant from, Instant now, int count, ZoneId zone) {
        List<Fire> fires = new ArrayList<>();
        for (JobKey job : jobs) {
            List<Fire> own = new ArrayList<>();
            catalog.triggersOf(job).forEach(trigger -> own.addAll(next(trigger, from, now, count, zone)));
            own.sort(Comparator.comparing(Fire::at));
            fires.addAll(own.subList(0, Math.min(count, own.size())));
        }
        fires.sort(Comparator.comparing(Fire::at).thenComparing(Fire::job).thenComparing(Fire::trigger));
        return new Upcoming(fires, shifts(catalog, fires, from));
    }

    private static List<Fire> next(TriggerSpec trigger, Instant from, Instant now, int count, ZoneId zone) {
        Schedule schedule = trigger.schedule();
        // Asked for the past, one without a start is taken to have been there then.
        Instant start = schedule.anchor(from.isBefore(now) ? from : now);
        List<Fire> fires = new ArrayList<>();
        Optional<Instant> at = schedule.next(from.minusNanos(1), start);
        while (at.isPresent() && fires.size() < count) {
            fires.add(new Fire(
                    at.get(), schedule.clocks().orElse(zone), trigger.job(), trigger.key(), schedule.startsWhenSeen()));
            at = schedule.next(at.get(), start);
        }
        return fires;
    }

    private static List<Shift> shifts(JobCatalog catalog, List<Fire> fires, Instant from) {
        List<Shift> shifts = new ArrayList<>();
        for (ZoneId zone : fires.stream().map(Fire::zone).distinct().toList()) {
            List<Fire> own =
                    fires.stream().filter(fire -> fire.zone().equals(zone)).toList();
            Instant last = own.get(own.size() - 1).at();
            ZoneOffsetTransition transition = zone.getRules().nextTransition(from.minusNanos(1));
            while (transition != null && !transition.getInstant().isAfter(last)) {
                Instant at = transition.getInstant();
                List<Affected> affected = own.stream()
                        .map(Fire::trigger)
                        .distinct()
                        .flatMap(key -> catalog.trigger(key).stream())
                        .flatMap(trigger -> affected(trigger, at).stream())
                        .toList();
                shifts.add(new Shift(transition, zone, affected));
                transition = zone.getRules().nextTransition(at);
            }
        }
        shifts.sort(Comparator.comparing(shift -> shift.transition().getInstant()));
        return shifts;
    }

    private static List<Affected> affected(TriggerSpec trigger, Instant at) {
        return trigger.schedule() instanceof Schedule.Cron cron
                ? cron.anomalies(at, at).stream()
                        .map(anomaly -> new Affected(trigger.job(), trigger.key(), anomaly))
                        .toList()
                : List.of();
    }
}
