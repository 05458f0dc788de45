package io.latchkey.ledger;

import java.time.Duration;
import java.util.List;

/**
 * Hears what this process writes into the ledger, for those who count. Called by the threads that write, one of them
 * ZooKeeper's: an implementation must be quick, take no lock that is held long, and never throw.
 */
public interface LedgerEvents {
    /** For those who do not count. */
    LedgerEvents NONE = new LedgerEvents() {
        @Override
        public void claimed(List<ClaimResult> results, Duration took) {
            // Nobody counts.
        }

        @Override
        public void decided(RunningRecord done) {
            // Nobody counts.
        }

        @Override
        public void retried(RunningRecord waiting) {
            // Nobody counts.
        }

        @Override
        public void answered(Request.Kind kind, AuditRecord.Verdict verdict) {
            // Nobody counts.
        }

        @Override
        public void waiting(int requests) {
            // Nobody counts.
        }
    };

    /**
     * A batch of claims was answered.
     *
     * @param took from when it was asked for until all of it was known; the wait for an earlier batch is in it
     */
    void claimed(List<ClaimResult> results, Duration took);

    /** A fire has its outcome, by this process and durably: it ran here, was skipped, or was abandoned. */
    void decided(RunningRecord done);

    /** An attempt that ran here has ended badly, and its fire is to be tried again; durably. */
    void retried(RunningRecord waiting);

    /** A request was answered by this leader; one to run a job is answered by a claim, and not told here. */
    void answered(Request.Kind kind, AuditRecord.Verdict verdict);

    /** How many requests this leader has found waiting. */
    void waiting(int requests);
}
