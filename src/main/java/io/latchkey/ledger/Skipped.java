package io.latchkey.ledger;

import java.time.Instant;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/**
 * Slots that were due and are not run, to be recorded as one.
 *
 * @param trigger whose slots
 * @param job the job they would have run
 * @param first the oldest
 * @param last the newest; names the record
 * @param count how many, both ends included
 * @param why what a reader of the history is told
 */
public record Skipped(TriggerKey trigger, JobKey job, Instant first, Instant last, long count, String why) {}
