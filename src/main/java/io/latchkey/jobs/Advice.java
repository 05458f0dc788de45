package io.latchkey.jobs;

import io.latchkey.conf.Code;
import io.latchkey.jobs.cron.CronSchedule;
import io.latchkey.jobs.cron.ZoneAnomaly;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an author should know before a deployment, beyond what {@link Remarks} says at each start: settings that are allowed
 * and may well be meant, but that mean something else to most readers, or that let runs overlap.
 */
final class Advice {
    private static final Duration YEAR = Duration.ofDays(366);
    /** A run without a timeout may be taken to end before this. */
    private static final Duration LONG = Duration.ofHours(1);
    /** How many fires are looked at to find the shortest time between two. */
    private static final int LOOKED_AT = 60;

    private final Entries entries;
    private final Report report;
    private final Instant now;

    Advice(Entries entries, Report report, Instant now) {
        this.entries = entries;
        this.report = report;
        this.now = now;
    }

    void say(List<JobSpec> jobs) {
        for (JobSpec job : jobs) {
            List<TriggerSpec> own = entries.triggers().stream()
                    .filter(trigger -> trigger.job().equals(job.key()))
                    .toList();
            if (job.nonConcurrent()) {
                withoutTimeout(job, own);
            } else if (job.type() != UnloadedJob.class) {
                beside(job, own);
            }
        }
        entries.triggers().forEach(this::trigger);
    }

    private void withoutTimeout(JobSpec job, List<TriggerSpec> triggers) {
        if (job.type() == SingleHttpJob.class) {
            return; // A call has a timeout of its own, always.
        }
        boolean bounded = triggers.isEmpty()
                ? job.runs(null).timeout().isPresent()
                : triggers.stream()
                        .allMatch(trigger -> job.runs(trigger).timeout().isPresent());
        if (!bounded) {
            report.warning(
                    Code.NO_TIMEOUT,
                    entries.place(job),
                    "job " + job.key(),
                    "never overlaps with itself and has no timeout: a run that hangs keeps all later ones from"
                            + " starting",
                    "give it job data latchkey.timeout, longer than any run takes, or set jobs.timeout");
        }
    }

    /** A run that is tried again ends later than it would have, and may then go on beside the next fire. */
    private void beside(JobSpec job, List<TriggerSpec> triggers) {
        for (TriggerSpec trigger : triggers) {
            boolean retried = job.runs(trigger).retries() > 0;
            Optional<Duration> timeout = job.runs(trigger).timeout();
            Duration period = period(trigger);
            if ((!retried && !job.recover()) || period == null || period.compareTo(timeout.orElse(LONG)) >= 0) {
                continue;
            }
            String again = job.recover() ? retried ? "is recovered and retried" : "is recovered" : "is retried";
            report.warning(
                    Code.OVERLAP,
                    entries.place(trigger),
                    "trigger " + trigger.key(),
                    "its job " + again + ", and may then run beside the next fire: it is due again after "
                            + shown(period) + ", "
                            + timeout.map(limit -> "a run may take " + shown(limit))
                                    .orElse("and no timeout bounds a run"),
                    "forbid it with @DisallowConcurrentExecution (SingleShellJob for shell jobs, concurrent=false in a"
                            + " crontab), set a timeout below "
                            + shown(period) + ", or make sure that two runs side by side do no harm");
        }
    }

    private void trigger(TriggerSpec trigger) {
        String place = entries.place(trigger);
        String subject = "trigger " + trigger.key();
        Schedule schedule = trigger.schedule();
        if (schedule.startsWhenSeen() && !(schedule instanceof Schedule.Simple simple && simple.repeatCount() == 0)) {
            report.warning(
                    Code.IMPLICIT_START,
                    place,
                    subject,
                    "names no start time: it counts from when the cluster first sees it, and anew when its schedule"
                            + " changes",
                    "write <start-time>, such as " + now.toString().substring(0, 10)
                            + "T00:00:00Z, for times that can be foretold");
        }
        if (schedule instanceof Schedule.Cron cron) {
            rhythmShifts(place, subject, cron);
            cron.cron()
                    .slips()
                    .forEach(slip -> report.warning(
                            slip.code(),
                            place,
                            subject,
                            "cron expression \"" + cron.expression() + "\": " + slip.message(),
                            slip.remedy()));
        }
    }

    /** Of schedules that keep a rhythm, those that do not have every hour miss a run or run twice. */
    private void rhythmShifts(String place, String subject, Schedule.Cron schedule) {
        CronSchedule cron = schedule.cron();
        if (cron.fixedTime() || cron.everyHour()) {
            return;
        }
        for (ZoneAnomaly anomaly : schedule.anomalies(now, now.plus(YEAR))) {
            report.warning(
                    Remarks.code(anomaly),
                    place,
                    subject,
                    anomaly.describe() + " (" + schedule.zone() + ")",
                    "name the hours in the hour field if it is to run once at each");
        }
    }

    /** The shortest time between two of the next fires; null if there are not two. */
    private @Nullable Duration period(TriggerSpec trigger) {
        Instant start = trigger.schedule().anchor(now);
        Instant last = trigger.firstFire(now).orElse(null);
        Duration shortest = null;
        for (int i = 0; i < LOOKED_AT && last != null; i++) {
            Instant next = trigger.schedule().next(last, start).orElse(null);
            if (next != null) {
                Duration between = Duration.between(last, next);
                shortest = shortest == null || between.compareTo(shortest) < 0 ? between : shortest;
            }
            last = next;
        }
        return shortest;
    }

    private static String shown(Duration duration) {
        return io.latchkey.conf.Durations.format(Objects.requireNonNull(duration));
    }
}
