package io.latchkey.scheduler;

import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.Request;
import java.util.Map;
import org.quartz.JobKey;
import org.quartz.SchedulerException;

/** A job's wish to have a job run, made a durable request: it survives the leader that took it. */
final class SubmittedRequests implements JobsScheduler.Requests {
    private final TermContext in;

    SubmittedRequests(TermContext in) {
        this.in = in;
    }

    @Override
    public void trigger(JobKey job, Map<String, String> data) throws SchedulerException {
        String by = "a job on " + in.term().instanceId() + " (thread "
                + Thread.currentThread().getName() + ")";
        try {
            in.ledger().submit(Request.trigger(job, data, by, in.now()));
        } catch (LedgerException e) {
            throw new SchedulerException("The request to run job " + job + " is not known to be kept; call again", e);
        }
    }
}
