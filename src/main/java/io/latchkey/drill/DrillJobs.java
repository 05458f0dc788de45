package io.latchkey.drill;

import static io.latchkey.drill.DrillTrigger.Kind.CALENDAR;
import static io.latchkey.drill.DrillTrigger.Kind.CRON;
import static io.latchkey.drill.DrillTrigger.Kind.SIMPLE;
import static io.latchkey.jobs.Misfire.ALL;
import static io.latchkey.jobs.Misfire.NOTHING;
import static io.latchkey.jobs.Misfire.ONCE;

import io.latchkey.jobs.Misfire;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The jobs and triggers that run during a drill: each trigger kind with each misfire instruction, and the hard jobs. */
final class DrillJobs {
    static final String GROUP = "drill";

    /**
     * One job.
     *
     * @param name its name, group {@link #GROUP}
     * @param type its class
     * @param recover whether it is run again when its instance dies
     * @param work how long it takes
     * @param failing how many attempts at each of its fires fail, to be tried again
     */
    record JobDef(String name, Class<? extends DrillJob> type, boolean recover, Duration work, int failing) {
        boolean nonConcurrent() {
            return type == DrillSingleJob.class;
        }
    }

    /** Its fires come late by design: it takes longer than the time between its slots. */
    private static final JobDef OVERLONG = single("overlong", false, 1300);

    private static final JobDef SHARED = job("shared", true, 50);

    /** There from the second version of the configuration on. */
    private static final DrillTrigger ROLLED_OUT = trigger(job("rolled-out", false, 20), SIMPLE, 2, ALL);

    private static final List<DrillTrigger> ALWAYS = List.of(
            trigger(job("cron-all", false, 20), CRON, 1, ALL),
            trigger(job("cron-once", false, 20), CRON, 1, ONCE),
            trigger(job("cron-nothing", false, 20), CRON, 1, NOTHING),
            trigger(job("cron-all-recover", true, 300), CRON, 1, ALL),
            trigger(job("cron-once-recover", true, 500), CRON, 2, ONCE),
            trigger(single("single-all", false, 500), CRON, 2, ALL),
            trigger(single("single-once-recover", true, 1500), CRON, 3, ONCE),
            trigger(OVERLONG, CRON, 1, ONCE),
            trigger(job("simple-all", false, 20), SIMPLE, 1, ALL),
            trigger(job("simple-once", false, 800), SIMPLE, 2, ONCE),
            trigger(job("simple-nothing-recover", true, 20), SIMPLE, 3, NOTHING),
            trigger(job("calendar-all", false, 20), CALENDAR, 2, ALL),
            trigger(job("calendar-once-recover", true, 300), CALENDAR, 5, ONCE),
            trigger(job("calendar-nothing", false, 20), CALENDAR, 3, NOTHING),
            new DrillTrigger("shared-4s", SHARED, CRON, 4, ONCE),
            new DrillTrigger("shared-5s", SHARED, SIMPLE, 5, ALL),
            trigger(new JobDef("killer", DrillKillerJob.class, true, Duration.ofMillis(20), 0), CRON, 2, ONCE),
            trigger(new JobDef("failing", DrillJob.class, true, Duration.ofMillis(20), 1), CRON, 3, ALL));

    private DrillJobs() {}

    /** The triggers of one version of the configuration; versions after the first have one more. */
    static List<DrillTrigger> triggers(int version) {
        if (version <= 1) {
            return ALWAYS;
        }
        return java.util.stream.Stream.concat(ALWAYS.stream(), java.util.stream.Stream.of(ROLLED_OUT))
                .toList();
    }

    /** The triggers that are in every version. */
    static List<DrillTrigger> always() {
        return ALWAYS;
    }

    /** All triggers of all versions, by name. */
    static Map<String, DrillTrigger> byName() {
        Map<String, DrillTrigger> all = new TreeMap<>();
        triggers(2).forEach(trigger -> all.put(trigger.name(), trigger));
        return all;
    }

    /** The job file of one version. */
    static String xml(int version, Path runLog, Path killerMarker) {
        StringBuilder out = new StringBuilder(8192);
        out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<job-scheduling-data version=\"2.0\"\n")
                .append("    xmlns=\"http://www.quartz-scheduler.org/xml/JobSchedulingData\">\n<schedule>\n");
        LinkedHashSet<JobDef> jobs = new LinkedHashSet<>();
        triggers(version).forEach(trigger -> jobs.add(trigger.job()));
        for (JobDef job : jobs) {
            out.append("<job><name>%s</name><group>%s</group><job-class>%s</job-class>"
                    .formatted(job.name(), GROUP, job.type().getName()));
            out.append("<durability>false</durability><recover>%s</recover><job-data-map>".formatted(job.recover()));
            entry(out, DrillJob.RUN_LOG, runLog.toString());
            entry(out, DrillJob.WORK_MILLIS, Long.toString(job.work().toMillis()));
            entry(out, DrillKillerJob.MARKER, killerMarker.toString());
            entry(out, DrillJob.FAILING, Integer.toString(job.failing()));
            if (job.failing() > 0) {
                entry(out, "latchkey.retries", Integer.toString(job.failing()));
                entry(out, "latchkey.retry-backoff", "200ms");
                entry(out, "latchkey.retry-past-next", "true");
            }
            entry(out, "version", Integer.toString(version));
            out.append("</job-data-map></job>\n");
        }
        triggers(version).forEach(trigger -> trigger(out, trigger));
        return out.append("</schedule>\n</job-scheduling-data>\n").toString();
    }

    private static void trigger(StringBuilder out, DrillTrigger trigger) {
        String head = "<name>%s</name><group>%s</group><job-name>%s</job-name><job-group>%s</job-group>"
                .formatted(trigger.name(), GROUP, trigger.job().name(), GROUP);
        // An even start far back, so that the slots lie where the oracle has them.
        String start = "<start-time>" + Instant.parse("2026-01-01T00:00:00Z") + "</start-time>";
        String misfire = "<misfire-instruction>MISFIRE_INSTRUCTION_%s</misfire-instruction>"
                .formatted(instruction(trigger.kind(), trigger.misfire()));
        String body = switch (trigger.kind()) {
            case CRON ->
                "<cron>%s%s<cron-expression>0/%d * * * * ?</cron-expression></cron>"
                        .formatted(head, misfire, trigger.every());
            case SIMPLE ->
                "<simple>%s%s%s<repeat-count>-1</repeat-count><repeat-interval>%d</repeat-interval></simple>"
                        .formatted(head, start, misfire, trigger.every() * 1000);
            case CALENDAR ->
                "<calendar-interval>%s%s%s<repeat-interval>%d</repeat-interval><repeat-interval-unit>SECOND</repeat-interval-unit></calendar-interval>"
                        .formatted(head, start, misfire, trigger.every());
        };
        out.append("<trigger>").append(body).append("</trigger>\n");
    }

    private static String instruction(DrillTrigger.Kind kind, Misfire misfire) {
        return switch (misfire) {
            case ALL -> "IGNORE_MISFIRE_POLICY";
            case ONCE -> kind == SIMPLE ? "FIRE_NOW" : "FIRE_ONCE_NOW";
            case NOTHING -> kind == SIMPLE ? "RESCHEDULE_NEXT_WITH_REMAINING_COUNT" : "DO_NOTHING";
        };
    }

    private static void entry(StringBuilder out, String key, String value) {
        out.append("<entry><key>")
                .append(key)
                .append("</key><value>")
                .append(value.replace("&", "&amp;").replace("<", "&lt;"))
                .append("</value></entry>");
    }

    private static DrillTrigger trigger(JobDef job, DrillTrigger.Kind kind, int every, Misfire misfire) {
        return new DrillTrigger(job.name(), job, kind, every, misfire);
    }

    private static JobDef job(String name, boolean recover, long workMillis) {
        return new JobDef(name, DrillJob.class, recover, Duration.ofMillis(workMillis), 0);
    }

    private static JobDef single(String name, boolean recover, long workMillis) {
        return new JobDef(name, DrillSingleJob.class, recover, Duration.ofMillis(workMillis), 0);
    }
}
