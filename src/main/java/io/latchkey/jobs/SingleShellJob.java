package io.latchkey.jobs;

import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;

/**
 * A {@link ShellJob} of which never two runs overlap, on whichever instances they are: one that comes due while another
 * runs waits for its end.
 */
@DisallowConcurrentExecution
public final class SingleShellJob implements Job {
    /** Made by Quartz, one for each run. */
    public SingleShellJob() {}

    @Override
    public void execute(JobExecutionContext context) throws JobExecutionException {
        ShellJob.run(context);
    }
}
