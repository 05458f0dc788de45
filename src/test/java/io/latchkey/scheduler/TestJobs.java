package io.latchkey.scheduler;

import io.latchkey.jobs.FireContext;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.PersistJobDataAfterExecution;

/** Jobs that note what they saw. Their notes are static, as Quartz makes the objects: reset between tests. */
final class TestJobs {
    static final List<Run> runs = new CopyOnWriteArrayList<>();
    static volatile CountDownLatch gate = new CountDownLatch(0);
    static final AtomicInteger constructed = new AtomicInteger();
    static final AtomicInteger overlapping = new AtomicInteger();
    static final AtomicInteger mostOverlapping = new AtomicInteger();

    private TestJobs() {}

    record Run(
            String job,
            String fireId,
            Instant scheduled,
            int attempt,
            boolean catchUp,
            long missed,
            boolean recovering,
            JobDataMap data) {}

    static void reset() {
        gate.countDown();
        gate = new CountDownLatch(0);
        runs.clear();
        constructed.set(0);
        overlapping.set(0);
        mostOverlapping.set(0);
    }

    static List<Run> runsOf(String job) {
        return runs.stream().filter(run -> run.job().equals(job)).toList();
    }

    static Run note(JobExecutionContext context) {
        FireContext fire = FireContext.of(context);
        Run run = new Run(
                context.getJobDetail().getKey().getName(),
                fire.fireId(),
                context.getScheduledFireTime().toInstant(),
                fire.attempt(),
                fire.isCatchUp(),
                fire.missedCount(),
                context.isRecovering(),
                context.getMergedJobDataMap());
        runs.add(run);
        return run;
    }

    /** Runs and returns. */
    public static class Quick implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            note(context);
        }
    }

    /** Runs until {@link #gate} opens or it is interrupted. */
    public static class Waiting implements Job {
        @Override
        public void execute(JobExecutionContext context) throws JobExecutionException {
            note(context);
            mostOverlapping.accumulateAndGet(overlapping.incrementAndGet(), Math::max);
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new JobExecutionException(e);
            } finally {
                overlapping.decrementAndGet();
            }
        }
    }

    /** The same, and no two at once. */
    @DisallowConcurrentExecution
    public static class Lone extends Waiting {}

    /** Throws what its data says: RuntimeException, Error, refireImmediately. */
    public static class Fails implements Job {
        @Override
        public void execute(JobExecutionContext context) throws JobExecutionException {
            note(context);
            switch (context.getMergedJobDataMap().getString("how")) {
                case "RuntimeException" -> throw new IllegalStateException("as told");
                case "Error" -> throw new AssertionError("as told");
                case "OutOfMemory" -> throw new OutOfMemoryError("as told");
                case "refireImmediately" -> throw new JobExecutionException("as told", true);
                case "unschedule" -> {
                    JobExecutionException e = new JobExecutionException("as told");
                    e.setUnscheduleAllTriggers(true);
                    throw e;
                }
                default -> throw new JobExecutionException("as told");
            }
        }
    }

    /** Its constructor throws the first time. */
    public static class BadConstructor extends Quick {
        public BadConstructor() {
            if (constructed.getAndIncrement() == 0) {
                throw new IllegalStateException("constructor failed, as told");
            }
        }
    }

    /** Counts in its persisted data. */
    @DisallowConcurrentExecution
    @PersistJobDataAfterExecution
    public static class Counting implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            JobDataMap data = context.getJobDetail().getJobDataMap();
            data.put("count", data.containsKey("count") ? data.getInt("count") + 1 : 1);
            note(context);
        }
    }
}
