package io.latchkey.jobs;

import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** Stands for an author's class where classes are not looked for. Never runs. */
public final class UnloadedJob implements Job {
    @Override
    public void execute(JobExecutionContext context) {
        throw new IllegalStateException("the class of " + context.getJobDetail().getKey() + " was not loaded");
    }
}
