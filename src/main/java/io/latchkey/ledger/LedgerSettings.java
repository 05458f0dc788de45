package io.latchkey.ledger;

/**
 * The ledger's bounds.
 *
 * @param historyPerJob how many outcomes of a job the history keeps
 * @param runningLimit how many running records there may be; more claims are refused, so that reading them stays cheap
 */
public record LedgerSettings(int historyPerJob, int runningLimit) {
    /** What is used unless set. */
    public static final LedgerSettings DEFAULT = new LedgerSettings(50, 10_000);

    public LedgerSettings {
        if (historyPerJob < 1 || runningLimit < 1) {
            throw new IllegalArgumentException("history per job " + historyPerJob + ", running limit " + runningLimit);
        }
    }
}
