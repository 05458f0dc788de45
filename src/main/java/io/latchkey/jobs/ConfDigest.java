package io.latchkey.jobs;

import java.time.ZoneId;
import java.time.zone.ZoneRulesProvider;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The conf digest: whether two instances would run the same jobs at the same times. The first 12 hex digits of a SHA-256
 * over, each part with its length: every job and every trigger as registered, by key; the bytes of every author jar in
 * class path order; the time zone of {@code jobs.time-zone}; the version of Java's time zone data, which decides when
 * clocks shift; and the settings that decide what becomes of missed and interrupted fires.
 *
 * <p>What was read counts, not how it was written: the names and the order of files, comments, line ends and blanks between
 * elements change nothing. Nor do settings that an instance may have for itself, such as its number of threads.
 */
final class ConfDigest {
    private ConfDigest() {}

    /** @param jars the digest of each author jar, in class path order */
    static String of(
            List<JobSpec> jobs, List<TriggerSpec> triggers, List<String> jars, ZoneId zone, List<String> settings) {
        Digest digest = new Digest();
        digest.add("jobs" + jobs.size());
        jobs.stream().sorted(Comparator.comparing(JobSpec::key)).forEach(job -> add(digest, job));
        digest.add("triggers" + triggers.size());
        triggers.stream().sorted(Comparator.comparing(TriggerSpec::key)).forEach(trigger -> add(digest, trigger));
        digest.add("jars" + jars.size());
        jars.forEach(digest::add);
        digest.add(zone.getId()).add(zoneData());
        settings.forEach(digest::add);
        return digest.text();
    }

    /** The version of the time zone data, such as 2026a. */
    static String zoneData() {
        return ZoneRulesProvider.getVersions("Europe/London").lastKey();
    }

    private static void add(Digest digest, JobSpec job) {
        digest.add(job.key().getGroup())
                .add(job.key().getName())
                .add(job.type().getName())
                .add(text(job.description()))
                .add(job.durable() + "," + job.recover())
                .add(job.runs().toString());
        add(digest, job.data());
    }

    private static void add(Digest digest, TriggerSpec trigger) {
        digest.add(trigger.key().getGroup())
                .add(trigger.key().getName())
                .add(trigger.job().getGroup())
                .add(trigger.job().getName())
                .add(trigger.schedule().canonical())
                .add(trigger.priority() + "," + trigger.misfire())
                .add(text(trigger.description()));
        add(digest, trigger.data());
    }

    private static void add(Digest digest, Map<String, @Nullable String> data) {
        digest.add("data" + data.size());
        new TreeMap<>(data).forEach((key, value) -> digest.add(key).add(text(value)));
    }

    /** No value is another thing than an empty one. */
    private static String text(@Nullable String value) {
        return value == null ? "-" : "=" + value;
    }
}
