package io.latchkey.jobs;

import io.latchkey.conf.RunPolicy;
import io.latchkey.conf.Suggestions;
import io.latchkey.jobs.http.Template;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads how runs are bounded out of job data: the keys of a {@link RunPolicy} with {@value #PREFIX} before them. No other
 * job data key may begin so, or a misspelled timeout would go unnoticed.
 */
final class RunPolicies {
    static final String PREFIX = "latchkey.";

    private static final List<String> KEYS =
            RunPolicy.NAMES.stream().map(name -> PREFIX + name).toList();

    private RunPolicies() {}

    /** {@code base} with what {@code data} say over it. */
    static RunPolicy over(RunPolicy base, Map<String, @Nullable String> data) {
        RunPolicy policy = base;
        for (String name : RunPolicy.NAMES) {
            String key = PREFIX + name;
            if (data.containsKey(key)) {
                policy = policy.with(name, text(data, key));
            }
        }
        return policy;
    }

    /** The jobs with their policies, over the defaults. What is wrong with any of them or with a trigger is reported. */
    static List<JobSpec> read(RunPolicy defaults, Entries entries, Report report) {
        try {
            defaults.onFailure().ifPresent(RunPolicies::checkReferences);
        } catch (IllegalArgumentException e) {
            String[] parts = parts(e);
            report.problem("latchkey.properties", "jobs." + RunPolicy.ON_FAILURE, parts[0], parts[1]);
        }
        List<JobSpec> jobs = new ArrayList<>();
        for (JobSpec job : entries.jobs()) {
            if (check(job.data(), entries.place(job), "job " + job.key(), report)) {
                jobs.add(job.with(over(defaults, job.data())));
            }
        }
        for (TriggerSpec trigger : entries.triggers()) {
            check(trigger.data(), entries.place(trigger), "trigger " + trigger.key(), report);
        }
        return jobs;
    }

    private static boolean check(Map<String, @Nullable String> data, String place, String subject, Report report) {
        boolean good = true;
        for (String key : data.keySet()) {
            if (!key.startsWith(PREFIX)) {
                continue;
            }
            if (!KEYS.contains(key)) {
                report.problem(
                        place,
                        subject,
                        "there is no job data key \"" + key + "\"",
                        Suggestions.didYouMean(key, KEYS, "known are: " + String.join(", ", KEYS)));
                good = false;
                continue;
            }
            try {
                RunPolicy.DEFAULT
                        .with(key.substring(PREFIX.length()), text(data, key))
                        .onFailure()
                        .ifPresent(RunPolicies::checkReferences);
            } catch (IllegalArgumentException e) {
                String[] parts = parts(e);
                report.problem(
                        place,
                        subject,
                        "job data key \"" + key + "\" " + shown(key, text(data, key)) + parts[0],
                        parts[1]);
                good = false;
            }
        }
        return good;
    }

    private static void checkReferences(String hook) {
        if (RunPolicy.isUrl(hook)) {
            Template.parse(hook);
        }
    }

    /** What is wrong, and what to do. */
    private static String[] parts(IllegalArgumentException e) {
        String[] parts = String.valueOf(e.getMessage()).split(": ", 2);
        return parts.length > 1 ? parts : new String[] {parts[0], "change it, or leave it out"};
    }

    /** What is called on a failure may have a secret in it. */
    private static String shown(String key, String value) {
        return key.equals(PREFIX + RunPolicy.ON_FAILURE) || value.isEmpty() ? "" : "with \"" + value + "\" ";
    }

    private static String text(Map<String, @Nullable String> data, String key) {
        String value = data.get(key);
        return value == null ? "" : value;
    }
}
