package io.latchkey.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.ledger.Attempt;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.Missed;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.Owner;
import io.latchkey.ledger.Request;
import io.latchkey.ledger.RunInfo;
import io.latchkey.ledger.RunningRecord;
import io.latchkey.ledger.Skipped;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

class LedgerMetricsTest {
    private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");
    private static final JobKey JOB = new JobKey("report", "ops");

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final LedgerMetrics metrics = new LedgerMetrics(registry);

    private static Attempt attempt(int number) {
        return new Attempt(number, new Owner("a", "0x1", 1, 7), "nonce-" + number, NOW);
    }

    private static RunningRecord claimed(JobKey job, TriggerKey trigger, Missed missed) {
        RunInfo info = new RunInfo(true, false, missed, Map.of());
        return RunningRecord.claimed(new FireId(trigger, NOW), job, info, attempt(1));
    }

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).counter().count();
    }

    @Test
    void skippedSlotsCountEachAndRunsThatCatchUpOnce() {
        TriggerKey trigger = new TriggerKey("t", "ops");
        metrics.decided(
                RunningRecord.skipped(new Skipped(trigger, JOB, NOW.minusSeconds(60), NOW, 5, "missed"), attempt(1)));
        metrics.claimed(claimed(JOB, trigger, new Missed(6, NOW.minusSeconds(60), true)));
        metrics.claimed(claimed(JOB, trigger, Missed.NONE));

        assertThat(count("latchkey.fires", "outcome", "skipped")).isEqualTo(5);
        assertThat(count("latchkey.skipped.slots")).isEqualTo(5);
        assertThat(count("latchkey.caught.up")).isEqualTo(1);
        assertThat(registry.find("latchkey.job.run").timer()).isNull();
    }

    @Test
    void aFireThatIsTakenOverIsRecoveredAndCaughtUpNoSecondTime() {
        RunningRecord died = claimed(JOB, new TriggerKey("t", "ops"), new Missed(6, NOW.minusSeconds(60), true));
        metrics.claimed(died);
        metrics.claimed(died.retaken(attempt(2)));

        assertThat(count("latchkey.recovered")).isEqualTo(1);
        assertThat(count("latchkey.caught.up")).isEqualTo(1);
    }

    @Test
    void aRunThatWasAskedForAnswersARequest() {
        metrics.claimed(claimed(JOB, new TriggerKey("ops.report#request-1", Request.GROUP), Missed.NONE));

        assertThat(count("latchkey.requests", "kind", "trigger", "verdict", "done"))
                .isEqualTo(1);
    }

    @Test
    void jobsBeyondTheCapShareTheirLabels() {
        for (int i = 0; i < 3 * Labels.MOST_JOBS; i++) {
            RunningRecord record = claimed(new JobKey("job-" + i, "many"), new TriggerKey("t" + i), Missed.NONE);
            metrics.decided(record.done(Outcome.succeeded(NOW, Duration.ofSeconds(1))));
        }

        assertThat(registry.get("latchkey.job.fires").counters()).hasSize(Labels.MOST_JOBS + 1);
        assertThat(count("latchkey.job.fires", "job_group", "other", "job_name", "other"))
                .isEqualTo(2 * Labels.MOST_JOBS);
        assertThat(count("latchkey.fires", "outcome", "succeeded")).isEqualTo(3 * Labels.MOST_JOBS);
    }

    @Test
    void labelsAreShortAndWithoutControlCharacters() {
        assertThat(Labels.clean("a\nb\u001b[31m\u202ec\ud800")).isEqualTo("a?b?[31m?c?");
        assertThat(Labels.clean("x".repeat(5000))).hasSizeLessThanOrEqualTo(120);
    }
}
