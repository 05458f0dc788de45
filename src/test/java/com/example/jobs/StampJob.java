package com.example.jobs;

import io.latchkey.jobs.FireContext;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;

/**
 * Keeps what each run saw of itself. Runs of one test are told apart from those of others by the job data key {@code log}.
 */
public final class StampJob implements Job {
    private static final Queue<Stamp> STAMPS = new ConcurrentLinkedQueue<>();

    /** One run; {@code startedNanos} is the first thing the job did. */
    public record Stamp(
            String log,
            String instance,
            String job,
            String fireId,
            Instant scheduled,
            long token,
            long term,
            int attempt,
            boolean catchUp,
            long missed,
            boolean recovering,
            long startedNanos) {}

    /** The runs of one test so far, in the order they started. */
    public static List<Stamp> of(String log) {
        return STAMPS.stream().filter(stamp -> stamp.log.equals(log)).toList();
    }

    @Override
    public void execute(JobExecutionContext context) throws JobExecutionException {
        long started = System.nanoTime();
        FireContext fire = FireContext.of(context);
        STAMPS.add(new Stamp(
                context.getMergedJobDataMap().getString("log"),
                fire.instance(),
                context.getJobDetail().getKey().toString(),
                fire.fireId(),
                fire.scheduledTime(),
                fire.fencingToken(),
                fire.term(),
                fire.attempt(),
                fire.isCatchUp(),
                fire.missedCount(),
                context.isRecovering(),
                started));
        String sleep = context.getMergedJobDataMap().getString("sleepMs");
        if (sleep != null) {
            try {
                Thread.sleep(Long.parseLong(sleep));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new JobExecutionException("interrupted", e);
            }
        }
    }
}
