package io.latchkey.jobs;

import io.latchkey.conf.Problem;
import io.latchkey.conf.RunPolicy;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/**
 * Everything that the conf directory registers, checked as a whole: names are unique, every trigger's job is here, every
 * class is loaded. Immutable.
 *
 * @param digest the conf digest, 12 hex digits: equal on two instances if and only if they would run the same
 * @param warnings what is no error but worth a line in the log
 * @param classLoader of the author jars; a run's context class loader
 * @param runs how runs are bounded of which no job says it, such as those of a job that is gone
 */
public record JobCatalog(
        List<JobSpec> jobs,
        List<TriggerSpec> triggers,
        String digest,
        List<Problem> warnings,
        ClassLoader classLoader,
        RunPolicy runs) {
    public JobCatalog {
        jobs = List.copyOf(jobs);
        triggers = List.copyOf(triggers);
        warnings = List.copyOf(warnings);
    }

    /** A catalog of specs made in code, without files or jars. */
    public static JobCatalog of(List<JobSpec> jobs, List<TriggerSpec> triggers) {
        return new JobCatalog(
                jobs,
                triggers,
                ConfDigest.of(jobs, triggers, List.of(), ZoneOffset.UTC, List.of()),
                List.of(),
                JobCatalog.class.getClassLoader(),
                RunPolicy.DEFAULT);
    }

    /**
     * Lets go of the author jars: no class can be loaded from them any more. For the end of an instance, when no job runs.
     *
     * @throws IOException if a file cannot be closed
     */
    public void release() throws IOException {
        if (classLoader instanceof AuthorClassLoader authors) {
            authors.close();
        }
    }

    /** How the runs of a job, fired by a trigger, are bounded; the defaults for a job that is not here. */
    public RunPolicy runs(JobKey job, TriggerKey trigger) {
        return job(job).map(spec -> spec.runs(trigger(trigger).orElse(null))).orElse(runs);
    }

    public Optional<JobSpec> job(JobKey key) {
        return jobs.stream().filter(job -> job.key().equals(key)).findFirst();
    }

    public Optional<TriggerSpec> trigger(TriggerKey key) {
        return triggers.stream().filter(trigger -> trigger.key().equals(key)).findFirst();
    }

    public List<TriggerSpec> triggersOf(JobKey job) {
        return triggers.stream().filter(trigger -> trigger.job().equals(job)).toList();
    }
}
