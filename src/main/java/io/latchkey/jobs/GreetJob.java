package io.latchkey.jobs;

import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job to look at and to copy from: logs who runs it, for which slot, under which term and token. Its {@code greeting} is
 * job data; Quartz sets it through the setter.
 */
public final class GreetJob implements Job {
    private static final Logger LOG = LoggerFactory.getLogger(GreetJob.class);

    private String greeting = "Hello";

    /** Made by Quartz, one for each run. */
    public GreetJob() {}

    public void setGreeting(String greeting) {
        this.greeting = greeting;
    }

    @Override
    public void execute(JobExecutionContext context) {
        FireContext fire = FireContext.of(context);
        LOG.info(
                "{} from {}: fire {}, term {}, token {}{}",
                greeting,
                fire.instance(),
                fire.fireId(),
                fire.term(),
                fire.fencingToken(),
                fire.isCatchUp() ? ", catching up on " + fire.missedCount() + " missed" : "");
    }
}
