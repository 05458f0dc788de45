package com.example.jobs;

import io.latchkey.jobs.FireContext;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;

/** Runs for a while, differently long each time, and keeps a log of its starts and ends. */
public class SoakJob implements Job {
    private static final Queue<Run> RUNS = new ConcurrentLinkedQueue<>();

    /** The same, never two at once. */
    @DisallowConcurrentExecution
    public static final class Single extends SoakJob {}

    /** One run; its end is set when it ends, however that is. */
    public static final class Run {
        public final String job;
        public final String fireId;
        public final int attempt;
        public final boolean recovering;
        public final String instance;
        public final Instant slot;
        public final Instant started = Instant.now();
        private volatile Instant ended = Instant.MAX;

        private Run(String job, FireContext fire) {
            this.job = job;
            this.fireId = fire.fireId();
            this.attempt = fire.attempt();
            this.recovering = fire.isRecovering();
            this.instance = fire.instance();
            this.slot = fire.scheduledTime();
        }

        public Instant ended() {
            return ended;
        }

        @Override
        public String toString() {
            return fireId + "#" + attempt + " on " + instance + " from " + started + " to " + ended;
        }
    }

    /** All runs so far, in the order they started. */
    public static List<Run> runs() {
        return List.copyOf(RUNS);
    }

    @Override
    public void execute(JobExecutionContext context) throws JobExecutionException {
        Run run = new Run(context.getJobDetail().getKey().getName(), FireContext.of(context));
        RUNS.add(run);
        try {
            // Most are short, some run into the next slot and the next kill.
            long spread = context.getMergedJobDataMap().getLongValue("spreadMs");
            int hash = Math.floorMod(run.fireId.hashCode(), 100);
            Thread.sleep(spread * hash * hash / 10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JobExecutionException("interrupted", e);
        } finally {
            run.ended = Instant.now();
        }
    }
}
