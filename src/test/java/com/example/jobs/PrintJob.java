package com.example.jobs;

import io.latchkey.jobs.FireContext;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** Prints that it ran, and remembers its runs in {@link #RUNS}. */
public final class PrintJob implements Job {
    public static final Queue<Run> RUNS = new ConcurrentLinkedQueue<>();

    /** One run: job and trigger key, the slot, when it began, whether it makes good what was missed, and the merged data. */
    public record Run(
            String job,
            String trigger,
            Instant scheduled,
            Instant started,
            boolean catchUp,
            long missed,
            Map<String, Object> data) {}

    @Override
    public void execute(JobExecutionContext context) {
        FireContext fire = FireContext.of(context);
        Run run = new Run(
                context.getJobDetail().getKey().toString(),
                context.getTrigger().getKey().toString(),
                context.getScheduledFireTime().toInstant(),
                Instant.now(),
                fire.isCatchUp(),
                fire.missedCount(),
                new HashMap<>(context.getMergedJobDataMap()));
        RUNS.add(run);
        System.out.println(run);
    }
}
