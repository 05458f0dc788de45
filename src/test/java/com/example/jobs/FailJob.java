package com.example.jobs;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;

/** Fails as its data {@code how} says: RuntimeException, Error or refireImmediately. */
public final class FailJob implements Job {
    public static final Queue<String> RUNS = new ConcurrentLinkedQueue<>();

    @Override
    public void execute(JobExecutionContext context) throws JobExecutionException {
        String how = context.getMergedJobDataMap().getString("how");
        RUNS.add(context.getJobDetail().getKey().toString());
        switch (how) {
            case "RuntimeException" -> throw new IllegalStateException("failing as asked");
            case "Error" -> throw new AssertionError("failing as asked");
            case "refireImmediately" -> throw new JobExecutionException("failing as asked", true);
            default -> throw new IllegalArgumentException("how=" + how);
        }
    }
}
