package io.latchkey.jobs;

import io.latchkey.conf.Code;
import io.latchkey.conf.Suggestions;
import io.latchkey.jobs.data.DataProblem;
import java.util.HashSet;
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

    /**
     * Where a job or trigger stands.
     *
     * @param reference where a trigger names its job; of a job its own place
     * @param data where each entry of its data stands
     */
    record Place(String own, String reference, Map<String, String> data) {}

    /** @param spec null if the entry has problems; its key counts all the same */
    private record Entry<S>(
            @Nullable S spec, Place place, @Nullable JobKey job) {}

    Entries(Report report) {
        this.report = report;
    }

    void job(JobKey key, @Nullable JobSpec spec, Place place, boolean ignoreDuplicate) {
        Entry<JobSpec> first = jobs.putIfAbsent(key, new Entry<>(spec, place, null));
        if (first != null) {
            duplicate("job " + key, first.place().own(), place.own(), ignoreDuplicate);
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
                report.problem(
                        Code.NO_SUCH_JOB,
                        entry.place().reference(),
                        "trigger " + key,
                        "there is no job " + job,
                        near(job));
            }
        });
    }

    /**
     * Reports what is wrong with the data of built-in jobs, as each of their triggers would run them. To be called when
     * all files are read.
     */
    void checkData() {
        for (Entry<JobSpec> job : jobs.values()) {
            JobSpec spec = job.spec();
            if (spec == null) {
                continue;
            }
            Set<String> said = new HashSet<>();
            List<Entry<TriggerSpec>> own = triggers.values().stream()
                    .filter(entry -> entry.spec() != null && spec.key().equals(entry.job()))
                    .toList();
            if (own.isEmpty()) {
                checkData(spec, job, null, said);
            }
            own.forEach(trigger -> checkData(spec, job, trigger, said));
        }
    }

    private void checkData(JobSpec job, Entry<JobSpec> entry, @Nullable Entry<TriggerSpec> trigger, Set<String> said) {
        Map<String, @Nullable String> data = new LinkedHashMap<>(job.data());
        Map<String, String> places = new LinkedHashMap<>(entry.place().data());
        if (trigger != null && trigger.spec() != null) {
            data.putAll(trigger.spec().data());
            places.putAll(trigger.place().data());
        }
        for (DataProblem problem : JobDataChecks.check(job.type(), data)) {
            String place = places.getOrDefault(problem.key(), entry.place().own());
            if (said.add(place + problem)) {
                report.problem(
                        place,
                        "job " + job.key(),
                        "job data \"" + problem.key() + "\" " + problem.message(),
                        problem.remedy());
            }
        }
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
                    Code.DUPLICATE,
                    second,
                    subject,
                    "ignored, for the name is already given at " + first,
                    "rename or remove one");
        } else {
            report.problem(
                    Code.DUPLICATE, second, subject, "the name is already given at " + first, "rename or remove one");
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
