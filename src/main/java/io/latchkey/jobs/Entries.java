package io.latchkey.jobs;

import io.latchkey.conf.Suggestions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/** The jobs and triggers of all files of one load, by key, and the rules that hold across files. */
final class Entries {
    /** Of a key's group and name together. */
    static final int MAX_KEY_BYTES = 200;

    private final Report report;
    private final Map<JobKey, Entry<JobSpec>> jobs = new LinkedHashMap<>();
    private final Map<TriggerKey, Entry<TriggerSpec>> triggers = new LinkedHashMap<>();

    /** Where a trigger and its reference to the job stand. */
    record Place(String own, String reference) {}

    /** @param spec null if the entry has problems; its key counts all the same */
    private record Entry<S>(
            @Nullable S spec, Place place, @Nullable JobKey job) {}

    Entries(Report report) {
        this.report = report;
    }

    void job(JobKey key, @Nullable JobSpec spec, String place, boolean ignoreDuplicate) {
        Entry<JobSpec> entry = new Entry<>(spec, new Place(place, place), null);
        Entry<JobSpec> first = jobs.putIfAbsent(key, entry);
        if (first != null) {
            duplicate("job " + key, first.place().own(), place, ignoreDuplicate);
        }
    }

    void trigger(
            TriggerKey key, @Nullable TriggerSpec spec, @Nullable JobKey job, Place place, boolean ignoreDuplicate) {
        Entry<TriggerSpec> first = triggers.putIfAbsent(key, new Entry<>(spec, place, job));
        if (first != null) {
            duplicate("trigger " + key, first.place().own(), place.own(), ignoreDuplicate);
        }
    }

    /** Reports triggers whose job is nowhere. To be called when all files are read. */
    void checkReferences() {
        triggers.forEach((key, entry) -> {
            JobKey job = entry.job();
            if (job != null && !jobs.containsKey(job)) {
                report.problem(entry.place().reference(), "trigger " + key, "there is no job " + job, near(job));
            }
        });
    }

    List<JobSpec> jobs() {
        return jobs.values().stream().map(Entry::spec).filter(Objects::nonNull).toList();
    }

    List<TriggerSpec> triggers() {
        return triggers.values().stream()
                .map(Entry::spec)
                .filter(Objects::nonNull)
                .toList();
    }

    /** Where the job or trigger stands. */
    String place(JobSpec job) {
        return Objects.requireNonNull(jobs.get(job.key())).place().own();
    }

    String place(TriggerSpec trigger) {
        return Objects.requireNonNull(triggers.get(trigger.key())).place().own();
    }

    Set<JobKey> triggered() {
        return triggers.values().stream()
                .map(Entry::job)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
    }

    private void duplicate(String subject, String first, String second, boolean ignore) {
        if (ignore) {
            report.warning(
                    second, subject, "ignored, for the name is already given at " + first, "rename or remove one");
        } else {
            report.problem(second, subject, "the name is already given at " + first, "rename or remove one");
        }
    }

    /** The name in another group is the commonest slip: a trigger without job-group looks in DEFAULT. */
    private String near(JobKey wanted) {
        return jobs.keySet().stream()
                .filter(key -> key.getName().equals(wanted.getName()))
                .findFirst()
                .map(key -> "did you mean " + key + "? then write <job-group>" + key.getGroup() + "</job-group>")
                .or(() -> Suggestions.nearest(
                                wanted.toString(),
                                jobs.keySet().stream().map(JobKey::toString).toList())
                        .map(near -> "did you mean " + near + "?"))
                .orElse("register the job, or remove the trigger");
    }
}
