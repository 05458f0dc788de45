package io.latchkey.ledger;

import java.time.Instant;
import org.quartz.JobKey;

/**
 * A trigger that missed slots and waits for an operator before it catches up.
 *
 * @param job the job it fires
 * @param since when a leader first held it
 * @param counted when the rest was last told by a leader
 * @param waiting what would be decided by a resume at that time
 */
public record OnHold(JobKey job, Instant since, Instant counted, Waiting waiting) {

    /**
     * Slots that were missed, and what the trigger's misfire instruction makes of them.
     *
     * @param first the oldest
     * @param last the latest
     * @param slots how many, both ends included
     * @param runs how many of them run
     */
    public record Waiting(Instant first, Instant last, long slots, long runs) {
        /** How many do not run: they are recorded as SKIPPED. */
        public long skips() {
            return slots - runs;
        }
    }
}
