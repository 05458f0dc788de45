package com.example.jobs;

import io.latchkey.jobs.FireContext;
import java.util.concurrent.atomic.AtomicInteger;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** Does nothing but note how late it was. */
public final class LateJob implements Job {
    private static final int[] MILLIS = new int[1_000_000];
    private static final AtomicInteger COUNT = new AtomicInteger();

    /** Forgets what was noted so far. */
    public static void reset() {
        COUNT.set(0);
    }

    /** How late each run was, in milliseconds. */
    public static int[] millis() {
        return java.util.Arrays.copyOf(MILLIS, COUNT.get());
    }

    @Override
    public void execute(JobExecutionContext context) {
        long late = System.currentTimeMillis()
                - FireContext.of(context).scheduledTime().toEpochMilli();
        MILLIS[COUNT.getAndIncrement()] = (int) late;
    }
}
