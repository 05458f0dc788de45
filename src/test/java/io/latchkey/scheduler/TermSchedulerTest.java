package io.latchkey.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.latchkey.jobs.Misfire;
import io.latchkey.jobs.Schedule;
import io.latchkey.ledger.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.quartz.JobKey;

class TermSchedulerTest {
    private final Lab lab = new Lab();

    @AfterEach
    void close() {
        lab.close();
    }

    @Test
    void leadingTermRunsEachDueFireOnceAndRecordsIt() throws Exception {
        JobKey job = lab.addJob("tick", TestJobs.Quick.class);
        lab.addTrigger("every-100ms", job, Schedule.Simple.every(Duration.ofMillis(100)), Misfire.ONCE);
        lab.lead();

        await().atMost(Duration.ofSeconds(20)).until(() -> TestJobs.runs.size() >= 5);
        lab.stop();
        assertThat(lab.scheduler().awaitIdle(Duration.ofSeconds(10))).isTrue();

        assertThat(TestJobs.runs).extracting(TestJobs.Run::fireId).doesNotHaveDuplicates();
        assertThat(lab.ledger.ended(Outcome.Kind.SUCCEEDED)).hasSameSizeAs(TestJobs.runs);
        assertThat(lab.overs).isEmpty();
    }
}
