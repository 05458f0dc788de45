package io.latchkey.scheduler;

import io.latchkey.conf.RunPolicy;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.Outcome.Kind;
import io.latchkey.ledger.Retry;
import io.latchkey.ledger.RunningRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Whether and when a fire is tried again after an attempt of it has ended. A failed attempt is, while its job has retries
 * left and its trigger's next fire is not due first. One that the service interrupted is, at once, if its job asks for
 * recovery: its instance failed it, not the job. Both count against one number of attempts. Pure.
 */
final class Retrying {
    /** A pause is this part of itself longer or shorter, so that what failed together does not come back together. */
    private static final double SPREAD = 0.2;

    private Retrying() {}

    /**
     * What to record.
     *
     * @param outcome how the attempt ended, with what is to be said of it besides
     * @param retry when the fire is tried again; empty if this is its outcome
     * @param consequence what happens now, for the log
     */
    record Verdict(Outcome outcome, Optional<Retry> retry, String consequence) {
        /** An outcome that no rule can change. */
        static Verdict last(Outcome outcome) {
            return new Verdict(outcome, Optional.empty(), "");
        }

        /** Whether the fire has failed for good. */
        boolean failedForGood() {
            return retry.isEmpty() && (outcome.kind() == Kind.FAILED || outcome.kind() == Kind.INTERRUPTED);
        }
    }

    /** @param random from 0 to 1 */
    static Verdict decide(Outcome ended, RunningRecord record, Bounds bounds, double random) {
        int number = record.current().number();
        if (ended.kind() == Kind.INTERRUPTED) {
            if (!bounds.recover()) {
                return last(ended, "its next slot runs as scheduled");
            }
            return number < bounds.mostAttempts()
                    ? again(ended, Retry.at(ended.at()), number, "at once, by whoever leads")
                    : lastOfAll(ended, number);
        }
        if (ended.kind() != Kind.FAILED) {
            return last(ended, "");
        }
        RunPolicy policy = bounds.policy();
        int failed = record.failures() + 1;
        if (failed > policy.retries()) {
            return policy.retries() == 0
                    ? last(ended, "its next slot runs as scheduled")
                    : last(ended, "that was the last of " + policy.retries() + " retries");
        }
        if (number >= bounds.mostAttempts()) {
            return lastOfAll(ended, number);
        }
        Instant at = ended.at().plus(spread(policy.pauseAfter(failed), random)).truncatedTo(ChronoUnit.MILLIS);
        Instant limit = policy.retryPastNext() ? null : bounds.next();
        if (limit != null && !at.isBefore(limit)) {
            String why = "not tried again, for the next fire of its trigger is due at " + limit;
            Outcome said = new Outcome(
                    ended.kind(), ended.at(), ended.ran(), ended.error() + "; " + why, ended.count(), ended.output());
            return last(said, why + " (latchkey.retry-past-next)");
        }
        return again(ended, new Retry(at, limit), number, "at " + at);
    }

    private static Verdict last(Outcome outcome, String consequence) {
        return new Verdict(outcome, Optional.empty(), consequence);
    }

    private static Verdict lastOfAll(Outcome outcome, int number) {
        return last(outcome, "that was attempt " + number + ", and no more are made (scheduler.max-attempts)");
    }

    private static Verdict again(Outcome ended, Retry retry, int number, String when) {
        return new Verdict(ended, Optional.of(retry), "it is tried again " + when + ", as attempt " + (number + 1));
    }

    private static Duration spread(Duration pause, double random) {
        return Duration.ofMillis(Math.round(pause.toMillis() * (1 - SPREAD + 2 * SPREAD * random)));
    }
}
