package io.latchkey.jobs;

import io.latchkey.jobs.cron.CronSchedule;
import io.latchkey.jobs.cron.ZoneAnomaly;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
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
        Set<JobKey> triggered = entries.triggered();
        for (JobSpec job : entries.jobs()) {
            if (!job.durable() && !triggered.contains(job.key())) {
                report.warning(
                        entries.place(job),
                        "job " + job.key(),
                        "has no trigger and is not durable: it runs only when asked for",
                        "add a trigger, or <durability>true</durability> if that is meant");
            }
        }
        for (TriggerSpec trigger : entries.triggers()) {
            String place = entries.place(trigger);
            String subject = "trigger " + trigger.key();
            if (trigger.firstFire(now).isEmpty()) {
                Instant end = trigger.schedule().window().end();
                report.warning(
                        place,
                        subject,
                        (end != null && end.isBefore(now) ? "ended at " + end : "all its times have passed")
                                + ": it does not run any more",
                        "remove it when convenient");
            } else if (trigger.schedule() instanceof Schedule.Simple simple) {
                shortInterval(place, subject, simple);
            } else if (trigger.schedule() instanceof Schedule.Cron cron) {
                clockShifts(place, subject, cron.cron(), cron.zone());
            }
        }
    }

    private void shortInterval(String place, String subject, Schedule.Simple simple) {
        if (simple.repeatCount() != 0 && simple.interval().compareTo(SUSPICIOUSLY_SHORT) < 0) {
            long millis = simple.interval().toMillis();
            report.warning(
                    place,
                    subject,
                    "repeats every " + millis + " ms",
                    "<repeat-interval> is in milliseconds: if seconds were meant, write " + millis * 1000);
        }
    }

    private void clockShifts(String place, String subject, CronSchedule cron, ZoneId zone) {
        if (!cron.fixedTime()) {
            return;
        }
        for (ZoneAnomaly anomaly : cron.anomalies(now, now.plus(AHEAD), zone)) {
            report.warning(
                    place,
                    subject,
                    anomaly.describe() + " (" + zone + ")",
                    "choose another time of day if that matters");
        }
    }
}
