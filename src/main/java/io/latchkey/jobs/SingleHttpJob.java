package io.latchkey.jobs;

import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;

/**
 * An {@link HttpJob} of which never two runs overlap, on whichever instances they are: one that comes due while another
 * runs waits for its end.
 */
@DisallowConcurrentExecution
public final class SingleHttpJob implements Job {
    /** Made by Quartz, one for each run. */
    public SingleHttpJob() {}

    @Override
    public void execute(JobExecutionContext context) throws JobExecutionException {
        HttpJob.run(context);
    }
}
