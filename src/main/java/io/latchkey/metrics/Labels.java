package io.latchkey.metrics;

import io.micrometer.core.instrument.Tags;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.quartz.JobKey;

/**
 * Labels of bounded number and harmless content, whatever jobs are called: the first jobs that are met have labels of
 * their own for as long as the process lives, all others share one pair. Thread-safe.
 */
final class Labels {
    /** Jobs with labels of their own. */
    static final int MOST_JOBS = 200;

    private static final int MOST_CHARS = 120;
    private static final Pattern CONTROLS = Pattern.compile("[\\p{Cntrl}\\p{Cf}\\p{Zl}\\p{Zp}]");
    private static final Tags OTHERS = tags("other", "other");

    private final Map<JobKey, Tags> jobs = new ConcurrentHashMap<>();

    /** Those of a job: {@code job_group} and {@code job_name}, for Prometheus itself uses {@code job}. */
    Tags of(JobKey job) {
        Tags known = jobs.get(job);
        if (known != null) {
            return known;
        }
        synchronized (jobs) {
            return jobs.size() < MOST_JOBS || jobs.containsKey(job)
                    ? jobs.computeIfAbsent(job, key -> tags(key.getGroup(), key.getName()))
                    : OTHERS;
        }
    }

    private static Tags tags(String group, String name) {
        return Tags.of("job_group", clean(group), "job_name", clean(name));
    }

    /** Without what would confuse a terminal or a dashboard, and of bounded length; quotes are the format's affair. */
    static String clean(String text) {
        String cut = text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS - 1) + "…";
        // Half a character, as may be left over by the cut, becomes a question mark.
        String whole = new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        return CONTROLS.matcher(whole).replaceAll("?");
    }
}
