package io.latchkey.jobs;

import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job that takes a while and never overlaps with itself, on whichever instance its runs are: for watching a handover, or
 * a recovery after its instance was killed. Its job data {@code seconds} says how long it takes.
 */
@DisallowConcurrentExecution
public final class NapJob implements Job {
    private static final Logger LOG = LoggerFactory.getLogger(NapJob.class);

    private int seconds = 20;

    /** Made by Quartz, one for each run. */
    public NapJob() {}

    public void setSeconds(int seconds) {
        this.seconds = seconds;
    }

    /** Sleeps; an interrupt ends it early, as it should end every job. */
    @Override
    public void execute(JobExecutionContext context) throws JobExecutionException {
        FireContext fire = FireContext.of(context);
        LOG.info("Nap {} begins on {}, attempt {}", fire.fireId(), fire.instance(), fire.attempt());
        try {
            for (int second = 0; second < seconds; second++) {
                Thread.sleep(1000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JobExecutionException("nap " + fire.fireId() + " was interrupted", e);
        }
        LOG.info("Nap {} ends{}", fire.fireId(), fire.stillLeading() ? "" : "; another instance leads by now");
    }
}
