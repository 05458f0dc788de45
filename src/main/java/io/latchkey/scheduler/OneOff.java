package io.latchkey.scheduler;

import io.latchkey.jobs.TriggerSpec;
import io.latchkey.ledger.ClaimRequest;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.Retry;
import io.latchkey.ledger.RunningRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.Optional;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.TriggerKey;
import org.quartz.impl.triggers.SimpleTriggerImpl;
import org.quartz.spi.OperableTrigger;

/**
 * A fire that no cursor tells of: one that is taken over from an earlier claim, or one that was asked for. Quartz's store
 * holds a trigger for it that is due at once, once.
 *
 * @param claim what to claim
 * @param job what it runs
 * @param spec the trigger it came from, if that is still in the configuration
 * @param recovering whether an earlier attempt died with its instance; Quartz's recovery keys are set then
 * @param data extra job data
 */
record OneOff(
        ClaimRequest claim, JobKey job, Optional<TriggerSpec> spec, boolean recovering, Map<String, String> data) {
    /** Goes before what is merely due: somebody waited for it already. */
    private static final int PRIORITY = 10;

    private static final String GIVEN_BACK = "GIVEN_BACK_JOBS";

    FireId id() {
        return claim.id();
    }

    /** The key under which the store holds it. */
    TriggerKey key() {
        if (claim instanceof ClaimRequest.Requested) {
            return id().trigger();
        }
        return new TriggerKey(id().toString(), recovering ? Scheduler.DEFAULT_RECOVERY_GROUP : GIVEN_BACK);
    }

    /** Of a fire whose instance went under it, more than once. */
    private Duration pause() {
        return claim instanceof ClaimRequest.Retake retake
                        && retake.previous().record().state() == RunningRecord.State.CLAIMED
                ? Crashes.pauseBefore(retake.previous().record())
                : Duration.ZERO;
    }

    /** When it may be tried again, if that is what it is for and it waits. */
    private Optional<Retry> retry() {
        return claim instanceof ClaimRequest.Retake retake
                ? retake.previous().record().retry()
                : Optional.empty();
    }

    /** Whether it is another try of a fire that failed. */
    boolean isRetry() {
        return retry().isPresent();
    }

    /** Whether it is too late for it. */
    boolean isOver(Instant now) {
        return retry().filter(retry -> retry.isOver(now)).isPresent();
    }

    OperableTrigger forStore(Instant now) {
        SimpleTriggerImpl trigger = new SimpleTriggerImpl();
        trigger.setKey(key());
        trigger.setJobKey(job);
        // Due since its slot, so that it goes before younger fires of the same job.
        Instant from = id().slot().isBefore(now) ? id().slot() : now;
        Instant wanted = retry().map(Retry::notBefore).orElseGet(() -> now.plus(pause()));
        Date due = Date.from(wanted.isAfter(now) ? wanted : from);
        trigger.setStartTime(due);
        trigger.setNextFireTime(due);
        trigger.setPriority(PRIORITY);
        return trigger;
    }

    /** What the run sees: its own trigger where the fire was merely given back, else Quartz's own kind of trigger. */
    OperableTrigger forRun() {
        Instant slot = id().slot();
        SimpleTriggerImpl trigger = new SimpleTriggerImpl();
        trigger.setKey(recovering ? key() : id().trigger());
        trigger.setJobKey(job);
        trigger.setStartTime(Date.from(slot));
        trigger.setPreviousFireTime(Date.from(slot));
        trigger.setTimesTriggered(1);
        spec.ifPresent(from -> {
            trigger.setDescription(from.description());
            trigger.setPriority(from.priority());
            from.data().forEach(trigger.getJobDataMap()::put);
        });
        data.forEach(trigger.getJobDataMap()::put);
        if (recovering) {
            String millis = String.valueOf(slot.toEpochMilli());
            trigger.getJobDataMap()
                    .put(
                            Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_NAME,
                            id().trigger().getName());
            trigger.getJobDataMap()
                    .put(
                            Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_GROUP,
                            id().trigger().getGroup());
            trigger.getJobDataMap().put(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_FIRETIME_IN_MILLISECONDS, millis);
            trigger.getJobDataMap()
                    .put(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_SCHEDULED_FIRETIME_IN_MILLISECONDS, millis);
        }
        return trigger;
    }
}
