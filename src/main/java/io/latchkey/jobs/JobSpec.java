package io.latchkey.jobs;

import io.latchkey.conf.RunPolicy;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDataMap;
import org.quartz.JobDetail;
import org.quartz.JobKey;
import org.quartz.PersistJobDataAfterExecution;
import org.quartz.utils.ClassUtils;

/**
 * One job as its author registered it. Immutable.
 *
 * @param durable whether it stays without a trigger
 * @param recover whether a fire whose instance died is run again
 * @param data the job's data, in the order of the file. A value is null where the file has an empty one, as in Quartz
 * @param runs how its runs are bounded, tried again and told of, where its trigger does not say otherwise
 */
public record JobSpec(
        JobKey key,
        Class<? extends Job> type,
        @Nullable String description,
        boolean durable,
        boolean recover,
        Map<String, @Nullable String> data,
        RunPolicy runs) {
    public JobSpec {
        data = Collections.unmodifiableMap(new LinkedHashMap<>(data));
    }

    /**
     * A job whose data alone say how its runs are bounded.
     *
     * @throws IllegalArgumentException if a {@code latchkey.*} key of the data has a bad value
     */
    public JobSpec(
            JobKey key,
            Class<? extends Job> type,
            @Nullable String description,
            boolean durable,
            boolean recover,
            Map<String, @Nullable String> data) {
        this(key, type, description, durable, recover, data, RunPolicies.over(RunPolicy.DEFAULT, data));
    }

    JobSpec with(RunPolicy policy) {
        return new JobSpec(key, type, description, durable, recover, data, policy);
    }

    /** How a run is bounded that {@code trigger} fires: by what its data say, over what the job says. */
    public RunPolicy runs(@Nullable TriggerSpec trigger) {
        return trigger == null ? runs : RunPolicies.over(runs, trigger.data());
    }

    /** Whether two runs of this job may never overlap: annotated, as Quartz wants it. */
    public boolean nonConcurrent() {
        return ClassUtils.isAnnotationPresent(type, DisallowConcurrentExecution.class);
    }

    /** Whether changes that a run makes to the job's data are kept: annotated, as Quartz wants it. */
    public boolean persistData() {
        return ClassUtils.isAnnotationPresent(type, PersistJobDataAfterExecution.class);
    }

    /** A new Quartz job detail; durable always, so that a job stays known when its last trigger has ended. */
    public JobDetail toDetail() {
        JobDataMap map = new JobDataMap();
        data.forEach(map::put);
        return JobBuilder.newJob(type)
                .withIdentity(key)
                .withDescription(description)
                .storeDurably(true)
                .requestRecovery(recover)
                .usingJobData(map)
                .build();
    }
}
