package io.latchkey.drill;

import io.latchkey.jobs.FireContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.quartz.InterruptableJob;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;

/** Says in the run log that it starts, works for a while, and says that it ends. Ends at once when interrupted. */
public class DrillJob implements InterruptableJob {
    /** Job data: the run log's path. */
    static final String RUN_LOG = "runLog";
    /** Job data: how many attempts fail. */
    static final String FAILING = "failing";
    /** Job data: how long it works, in milliseconds. */
    static final String WORK_MILLIS = "workMillis";

    private final Object lock = new Object();
    private boolean interrupted;

    /** Made by Quartz, one for each run. */
    public DrillJob() {}

    @Override
    public final void execute(JobExecutionContext context) throws JobExecutionException {
        FireContext fire = FireContext.of(context);
        JobDataMap data = context.getMergedJobDataMap();
        RunLogFile log = new RunLogFile(Path.of(data.getString(RUN_LOG)));
        String how = "interrupted";
        try {
            log.append(line(RunLine.Phase.START, context, fire, fire.isCatchUp() ? "catch-up" : "-"));
            started(data, fire);
            if (work(Long.parseLong(data.getString(WORK_MILLIS)))) {
                how = fire.attempt() > Integer.parseInt(data.getString(FAILING)) ? "ok" : "failed";
            }
            log.append(line(RunLine.Phase.END, context, fire, how));
        } catch (IOException e) {
            throw new JobExecutionException("the drill's run log cannot be written", e);
        }
        if (!how.equals("ok")) {
            throw new JobExecutionException(how);
        }
    }

    /** What one kind of job does between its first line and its work. */
    void started(JobDataMap data, FireContext fire) throws IOException {}

    /** Returns false if interrupted before the time was over. */
    private boolean work(long millis) {
        long end = System.nanoTime() + millis * 1_000_000;
        synchronized (lock) {
            try {
                for (long left = millis; left > 0 && !interrupted; left = (end - System.nanoTime()) / 1_000_000) {
                    lock.wait(left);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            return !interrupted;
        }
    }

    @Override
    public final void interrupt() {
        synchronized (lock) {
            interrupted = true;
            lock.notifyAll();
        }
    }

    private static RunLine line(RunLine.Phase phase, JobExecutionContext context, FireContext fire, String note) {
        return new RunLine(
                phase,
                Instant.now(),
                fire.instance(),
                ProcessHandle.current().pid(),
                context.getJobDetail().getKey().getName(),
                new RunLine.Fire(triggerOf(fire.fireId()), fire.scheduledTime(), fire.attempt()),
                fire.term(),
                fire.fencingToken(),
                note);
    }

    /** The trigger's name in {@code group.name@instant}: a recovering run has another trigger than the one that was due. */
    private static String triggerOf(String fireId) {
        return fireId.substring(fireId.indexOf('.') + 1, fireId.lastIndexOf('@'));
    }
}
