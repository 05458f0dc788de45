package io.latchkey.jobs;

import io.latchkey.conf.Code;
import io.latchkey.jobs.cron.ZoneAnomaly;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.quartz.JobKey;

/** What is no error but worth a line: the things an author would otherwise find out by waiting. */
final class Remarks {
    private static final Duration SUSPICIOUSLY_SHORT = Duration.ofSeconds(1);
    /** How far ahead shifts of the clocks are looked for; both of a year, and no more. */
    private static final Duration AHEAD = Duration.ofDays(366);

    private final Entries entries;
    private final Report report;
    private final Instant now;

    Remarks(Entries entries, Report report, Instant now) {
        this.entries = entries;
        this.report = report;
        this.now = now;
    }

    void say() {
        jobs();
        triggers();
    }

    /** Of jobs; only worth saying where all triggers could be read. */
    private void jobs() {
        Set<JobKey> triggered = entries.triggered();
        for (JobSpec job : entries.jobs()) {
            if (!job.durable() && !triggered.contains(job.key())) {
                report.warning(
                        Code.NO_TRIGGER,
                        entries.place(job),
                        "job " + job.key(),
                        "has no trigger and is not durable: it runs only when asked for",
                        "add a trigger, or <durability>true</durability> if that is meant");
            }
        }
    }

    void triggers() {
        for (TriggerSpec trigger : entries.triggers()) {
            String place = entries.place(trigger);
            String subject = "trigger " + trigger.key();
            if (trigger.firstFire(now).isEmpty()) {
                report.warning(Code.NEVER_FIRES, place, subject, over(trigger), "remove it when convenient");
            } else if (trigger.schedule() instanceof Schedule.Simple simple) {
                shortInterval(place, subject, simple);
            } else if (trigger.schedule() instanceof Schedule.Cron cron) {
                clockShifts(place, subject, cron);
            }
        }
    }

    private String over(TriggerSpec trigger) {
        Schedule schedule = trigger.schedule();
        Instant end = schedule.window().end();
        if (schedule instanceof Schedule.Cron cron
                && cron.cron().previous(Instant.MAX, cron.zone()).isEmpty()) {
            return "never fires: there is no day that its expression \"" + cron.expression() + "\" names";
        }
        if (trigger.schedule().latest(now, schedule.anchor(Instant.EPOCH)).isEmpty()) {
            return "never fires: none of its times lies between its start and its end";
        }
        return (end != null && end.isBefore(now) ? "ended at " + end : "all its times have passed")
                + ": it does not run any more";
    }

    /** What kind a shift of the clocks is. */
    static Code code(ZoneAnomaly anomaly) {
        return anomaly.kind() == ZoneAnomaly.Kind.GAP ? Code.CLOCK_SKIPS : Code.CLOCK_DOUBLES;
    }

    private void shortInterval(String place, String subject, Schedule.Simple simple) {
        if (simple.repeatCount() != 0 && simple.interval().compareTo(SUSPICIOUSLY_SHORT) < 0) {
            long millis = simple.interval().toMillis();
            report.warning(
                    Code.SHORT_INTERVAL,
                    place,
                    subject,
                    "repeats every " + millis + " ms",
                    "<repeat-interval> is in milliseconds: if seconds were meant, write " + millis * 1000);
        }
    }

    private void clockShifts(String place, String subject, Schedule.Cron schedule) {
        if (!schedule.cron().fixedTime()) {
            return;
        }
        for (ZoneAnomaly anomaly : schedule.anomalies(now, now.plus(AHEAD))) {
            report.warning(
                    code(anomaly),
                    place,
                    subject,
                    anomaly.describe() + " (" + schedule.zone() + ")",
                    "choose another time of day if that matters");
        }
    }
}
