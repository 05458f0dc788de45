package com.example.jobs;

import java.util.concurrent.atomic.AtomicInteger;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** Its constructor throws the first time only; set {@link #CREATED} to 0 to begin anew. */
public final class BadConstructorJob implements Job {
    public static final AtomicInteger CREATED = new AtomicInteger();
    public static final AtomicInteger RUNS = new AtomicInteger();

    public BadConstructorJob() {
        if (CREATED.getAndIncrement() == 0) {
            throw new IllegalStateException("the first one fails");
        }
    }

    @Override
    public void execute(JobExecutionContext context) {
        RUNS.incrementAndGet();
    }
}
