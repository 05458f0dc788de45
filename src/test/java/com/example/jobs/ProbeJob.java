package com.example.jobs;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.PersistJobDataAfterExecution;

/** Runs what a test has put under its data key {@code probe}. */
public class ProbeJob implements Job {
    private static final Map<String, Probe> PROBES = new ConcurrentHashMap<>();

    /** What to run. */
    public interface Probe {
        void run(JobExecutionContext context) throws Exception;
    }

    /** The same, never two at once, and its data is kept. */
    @DisallowConcurrentExecution
    @PersistJobDataAfterExecution
    public static final class Single extends ProbeJob {}

    public static void put(String name, Probe probe) {
        PROBES.put(name, probe);
    }

    @Override
    public void execute(JobExecutionContext context) throws JobExecutionException {
        try {
            PROBES.get(context.getMergedJobDataMap().getString("probe")).run(context);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JobExecutionException("interrupted", e);
        } catch (Exception e) {
            throw new JobExecutionException(e);
        }
    }
}
