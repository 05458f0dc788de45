package io.latchkey.scheduler;

import io.latchkey.conf.RunPolicy;
import io.latchkey.conf.SchedulerSettings;
import io.latchkey.election.Gate;
import io.latchkey.election.Term;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.jobs.JobSpec;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.ledger.FireLedger;
import io.latchkey.ledger.Missed;
import io.latchkey.ledger.PlannerSettings;
import io.latchkey.ledger.RunInfo;
import io.latchkey.ledger.TermLedger;
import io.latchkey.ledger.WriteResult;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What everything in one term works with.
 *
 * @param ledger for outcomes, which ask for no term
 * @param fenced the ledger as this term may change it
 * @param conf the configuration in force; changed by {@link InForce} alone
 */
record TermContext(
        Term term,
        FireLedger ledger,
        TermLedger fenced,
        AtomicReference<JobCatalog> conf,
        RunningFires running,
        SchedulerSettings settings,
        Clock clock) {
    private static final Logger log = LoggerFactory.getLogger(TermContext.class);

    TermContext(
            Term term,
            FireLedger ledger,
            TermLedger fenced,
            JobCatalog catalog,
            RunningFires running,
            SchedulerSettings settings,
            Clock clock) {
        this(term, ledger, fenced, new AtomicReference<>(catalog), running, settings, clock);
    }

    /** The configuration in force. */
    JobCatalog catalog() {
        return Objects.requireNonNull(conf.get());
    }

    void bring(JobCatalog next) {
        conf.set(next);
    }

    /** Now, in the resolution of slots. */
    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    PlannerSettings planner() {
        return new PlannerSettings(settings.misfireThreshold(), Math.max(1, settings.catchUpLimit()));
    }

    /** What a later leader must know of a fire of this job. */
    RunInfo info(JobKey job, Missed missed, Map<String, String> data) {
        boolean recover = catalog().job(job).map(JobSpec::recover).orElse(false);
        boolean nonConcurrent = catalog().job(job).map(JobSpec::nonConcurrent).orElse(false);
        return new RunInfo(recover, nonConcurrent, missed, data);
    }

    /** What bounds a fire of this job, fired by that trigger if by any, before whose next slot it is. */
    Bounds bounds(JobKey job, @Nullable TriggerSpec trigger, @Nullable Instant next) {
        JobCatalog now = catalog();
        JobSpec spec = now.job(job).orElse(null);
        RunPolicy policy = spec == null ? now.runs() : spec.runs(trigger);
        return new Bounds(policy, spec != null && spec.recover(), mostAttempts(policy), next);
    }

    /** How often a fire is tried in all, whatever for: a job that asks for more retries gets the attempts for them. */
    int mostAttempts(RunPolicy policy) {
        return Math.max(settings.maxAttempts(), policy.retries() + 1);
    }

    /**
     * Draws the consequence of a write: the term is over where it was fenced or its fate is unknown, and each part that
     * failed is logged.
     *
     * @return whether the term goes on
     */
    boolean accept(WriteResult result, String what) {
        if (result instanceof WriteResult.Written written) {
            written.failed()
                    .forEach((trigger, why) -> log.error(
                            "{} of trigger {} was not written: {}. The trigger is planned anew under the next term.",
                            what,
                            trigger,
                            why));
            return true;
        }
        if (result instanceof WriteResult.Fenced fenced) {
            term.over(Gate.Cause.FENCED, what + " was refused at the fence: " + fenced.reason());
        } else if (result instanceof WriteResult.GivenUp givenUp) {
            term.over(Gate.Cause.UNKNOWN_WRITE, what + " is not known to be written: " + givenUp.why());
        }
        return false;
    }
}
