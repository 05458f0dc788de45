package io.latchkey.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.conf.RunPolicy;
import io.latchkey.ledger.Attempt;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.Missed;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.Outcome.Kind;
import io.latchkey.ledger.Owner;
import io.latchkey.ledger.Retry;
import io.latchkey.ledger.RunInfo;
import io.latchkey.ledger.RunningRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RetryingTest {
    private static final Instant NOON = Instant.parse("2026-11-29T12:00:00Z");
    private static final RunPolicy TWICE = RunPolicy.DEFAULT.with("retries", "2");

    private final RunningRecord first = RunningRecord.claimed(
            new FireId(Lab.trigger("t"), NOON),
            Lab.job("j"),
            new RunInfo(false, false, Missed.NONE, Map.of()),
            attempt(1));

    private static Attempt attempt(int number) {
        return new Attempt(number, new Owner("one", "0x1", 1, 1), "n" + number, NOON);
    }

    private static Outcome ended(Kind kind) {
        return Outcome.failed(kind, NOON, Duration.ofSeconds(1), "boom");
    }

    private static Retrying.Verdict decide(
            Kind kind, RunningRecord record, RunPolicy policy, int most, @Nullable Instant next) {
        return Retrying.decide(ended(kind), record, new Bounds(policy, false, most, next), 0.5);
    }

    private static Instant at(Retrying.Verdict verdict) {
        return verdict.retry().orElseThrow().notBefore();
    }

    /** The record of the next attempt, claimed. */
    private static RunningRecord retried(RunningRecord record) {
        return record.again(ended(Kind.FAILED), Retry.at(NOON))
                .retaken(attempt(record.current().number() + 1));
    }

    private static RunningRecord recovered(RunningRecord record) {
        return record.retaken(attempt(record.current().number() + 1));
    }

    @Test
    void failedAttemptIsTriedAgainWithGrowingPausesUntilItsRetriesAreUsedUp() {
        assertThat(at(decide(Kind.FAILED, first, TWICE, 3, null))).isEqualTo(NOON.plusSeconds(10));
        RunningRecord second = retried(first);
        assertThat(at(decide(Kind.FAILED, second, TWICE, 3, null))).isEqualTo(NOON.plusSeconds(20));
        Retrying.Verdict last = decide(Kind.FAILED, retried(second), TWICE, 3, null);
        assertThat(last.retry()).isEmpty();
        assertThat(last.failedForGood()).isTrue();
        assertThat(last.consequence()).isEqualTo("that was the last of 2 retries");
    }

    @Test
    void jobWithoutRetriesFailsForGoodAtOnce() {
        assertThat(decide(Kind.FAILED, first, RunPolicy.DEFAULT, 3, null).failedForGood())
                .isTrue();
    }

    @Test
    void successIsNoFailure() {
        Retrying.Verdict verdict =
                Retrying.decide(Outcome.succeeded(NOON, Duration.ZERO), first, new Bounds(TWICE, true, 3, null), 0.5);

        assertThat(verdict.retry()).isEmpty();
        assertThat(verdict.failedForGood()).isFalse();
    }

    @Test
    void attemptsByRecoveryAndByRetryCountAgainstOneCap() {
        RunningRecord diedTwice = recovered(recovered(first));

        assertThat(decide(Kind.FAILED, diedTwice, TWICE, 3, null).retry()).isEmpty();
        assertThat(decide(Kind.FAILED, diedTwice, TWICE, 4, null).retry()).isPresent();
        assertThat(at(decide(Kind.FAILED, recovered(first), TWICE, 3, null)))
                .as("a death is no failure: the first pause comes first")
                .isEqualTo(NOON.plusSeconds(10));
    }

    @Test
    void retryIsNeverBeyondTheNextFireUnlessTold() {
        assertThat(decide(Kind.FAILED, first, TWICE, 3, NOON.plusSeconds(11)).retry())
                .contains(new Retry(NOON.plusSeconds(10), NOON.plusSeconds(11)));
        Retrying.Verdict none = decide(Kind.FAILED, first, TWICE, 3, NOON.plusSeconds(10));
        assertThat(none.failedForGood()).isTrue();
        assertThat(none.outcome().error())
                .isEqualTo("boom; not tried again, for the next fire of its trigger is due at 2026-11-29T12:00:10Z");
        assertThat(decide(Kind.FAILED, first, TWICE.with("retry-past-next", "true"), 3, NOON.plusSeconds(1))
                        .retry())
                .contains(new Retry(NOON.plusSeconds(10), null));
    }

    @Test
    void pauseIsSpreadByUpToAFifth() {
        Bounds bounds = new Bounds(TWICE, false, 3, null);

        assertThat(at(Retrying.decide(ended(Kind.FAILED), first, bounds, 0))).isEqualTo(NOON.plusSeconds(8));
        assertThat(at(Retrying.decide(ended(Kind.FAILED), first, bounds, 1))).isEqualTo(NOON.plusSeconds(12));
    }

    @Test
    void runThatTheServiceInterruptedIsRunAgainAtOnceIfItsJobAsksForRecovery() {
        Outcome interrupted = ended(Kind.INTERRUPTED);

        assertThat(Retrying.decide(interrupted, first, new Bounds(TWICE, false, 3, null), 0.5)
                        .failedForGood())
                .isTrue();
        assertThat(Retrying.decide(interrupted, first, new Bounds(RunPolicy.DEFAULT, true, 3, NOON), 0.5)
                        .retry())
                .contains(Retry.at(NOON));
        assertThat(Retrying.decide(
                                interrupted,
                                recovered(recovered(first)),
                                new Bounds(RunPolicy.DEFAULT, true, 3, null),
                                0.5)
                        .failedForGood())
                .isTrue();
    }
}
