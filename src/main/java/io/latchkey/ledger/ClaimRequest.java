package io.latchkey.ledger;

import java.util.Optional;
import org.quartz.JobKey;

/** A fire that the leader wants to run. */
public sealed interface ClaimRequest {
    /** The fire. */
    FireId id();

    /**
     * A due slot: moves the cursor and creates the running record.
     *
     * @param id the fire
     * @param job the job it runs
     * @param after the trigger's cursor once this is claimed
     * @param skip slots before it that will not run, recorded in the same transaction
     * @param info what a later leader must know
     */
    record Due(FireId id, JobKey job, Cursor after, Optional<Skipped> skip, RunInfo info) implements ClaimRequest {}

    /**
     * A fire that has a record: RELEASED by its owner (the same attempt again), or CLAIMED by an owner that is gone
     * (the next attempt).
     *
     * @param previous the record as last read
     */
    record Retake(Held previous) implements ClaimRequest {
        @Override
        public FireId id() {
            return previous.record().id();
        }
    }

    /**
     * A fire that an operator or a job asked for: creates the running record and deletes the request.
     *
     * @param request what was asked
     * @param info what a later leader must know; the request's data in it
     */
    record Requested(Request request, RunInfo info) implements ClaimRequest {
        @Override
        public FireId id() {
            return request.fireId();
        }
    }
}
