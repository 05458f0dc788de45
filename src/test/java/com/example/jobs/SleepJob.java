package com.example.jobs;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.quartz.InterruptableJob;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;

/** Sleeps as long as its data {@code sleepMs} says, or until it is interrupted. */
public final class SleepJob implements InterruptableJob {
    public static final Queue<String> STARTED = new ConcurrentLinkedQueue<>();
    public static final Queue<String> ENDED = new ConcurrentLinkedQueue<>();
    public static final Queue<String> INTERRUPTED = new ConcurrentLinkedQueue<>();

    private volatile @Nullable Thread runner;

    @Override
    public void execute(JobExecutionContext context) throws JobExecutionException {
        String trigger = context.getTrigger().getKey().toString();
        runner = Thread.currentThread();
        STARTED.add(trigger);
        try {
            Thread.sleep(context.getMergedJobDataMap().getLongValue("sleepMs"));
            ENDED.add(trigger);
        } catch (InterruptedException e) {
            INTERRUPTED.add(trigger);
            Thread.currentThread().interrupt();
            throw new JobExecutionException("interrupted", e);
        }
    }

    @Override
    public void interrupt() {
        Thread thread = runner;
        if (thread != null) {
            thread.interrupt();
        }
    }
}
