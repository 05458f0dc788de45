package io.latchkey.ledger;

import java.util.Set;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/**
 * What operators paused.
 *
 * @param all whether everything is
 * @param jobs paused jobs
 * @param triggers paused triggers
 */
public record Paused(boolean all, Set<JobKey> jobs, Set<TriggerKey> triggers) {
    /** Nothing is paused. */
    public static final Paused NOTHING = new Paused(false, Set.of(), Set.of());

    public Paused {
        jobs = Set.copyOf(jobs);
        triggers = Set.copyOf(triggers);
    }

    /** Whether a trigger of a job must not fire now. */
    public boolean covers(TriggerKey trigger, JobKey job) {
        return all || jobs.contains(job) || triggers.contains(trigger);
    }
}
