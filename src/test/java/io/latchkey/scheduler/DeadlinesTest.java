package io.latchkey.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.latchkey.conf.RunPolicy;
import io.latchkey.election.Term;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.ledger.Attempt;
import io.latchkey.ledger.Claimed;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.Held;
import io.latchkey.ledger.Missed;
import io.latchkey.ledger.Owner;
import io.latchkey.ledger.RunInfo;
import io.latchkey.ledger.RunningRecord;
import io.latchkey.testing.LogCapture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.quartz.InterruptableJob;
import org.quartz.JobExecutionContext;

class DeadlinesTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Lab lab = new Lab();
    private final Deadlines deadlines = new Deadlines(lab.threads, Duration.ofMillis(20));

    @AfterEach
    void close() {
        lab.close();
    }

    /** Started, with a timeout of 10 ms. */
    private Flight started(String name) throws InterruptedException {
        Term term = lab.newTerm();
        term.gate().open();
        TermContext in = new TermContext(
                term,
                lab.ledger,
                lab.ledger.open(term),
                JobCatalog.of(List.of(), List.of()),
                lab.running(deadlines),
                lab.settings,
                lab.clock);
        RunningRecord record = RunningRecord.claimed(
                new FireId(Lab.trigger(name), Instant.now()),
                Lab.job(name),
                new RunInfo(false, false, Missed.NONE, Map.of()),
                new Attempt(1, new Owner("here", "0x1", 1, 1), "n", Instant.now()));
        Bounds bounds = new Bounds(RunPolicy.DEFAULT.with("timeout", "10ms"), false, 3, null);
        Flight flight = new Flight(new Claimed(new Held(record, 0), term), in, bounds);
        AtomicBoolean begun = new AtomicBoolean();
        // Not this thread, which would be the one that is interrupted.
        Thread runs = lab.threads.start("runs", () -> begun.set(flight.begin()));
        runs.join();
        assertThat(begun).isTrue();
        return flight;
    }

    /** Interrupted in its own way. */
    private record Interruptable(Runnable way) implements InterruptableJob {
        @Override
        public void execute(JobExecutionContext context) {}

        @Override
        public void interrupt() {
            way.run();
        }
    }

    @Test
    void runThatIgnoresItsDeadlineIsInterruptedAndToldOfAgainUntilItEnds() throws Exception {
        try (LogCapture log = LogCapture.of(Deadlines.class)) {
            AtomicInteger interrupts = new AtomicInteger();
            Flight flight = started("deaf");
            flight.runs(new Interruptable(interrupts::incrementAndGet));

            await().atMost(LONG).until(() -> interrupts.get() >= 3);
            assertThat(log.messages()).anyMatch(line -> line.contains("Job test.deaf runs on,"));
            assertThat(flight.interrupted()).get().isEqualTo(new Flight.Interrupt("timed out after 10ms", true));
            flight.leaves();
            assertThat(flight.deadline().orElseThrow().remaining()).isZero();
        }
    }

    @Test
    void wayOfBeingInterruptedThatHangsHoldsUpNoOtherDeadline() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Flight hangs = started("hangs");
        hangs.runs(new Interruptable(() -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
        await().atMost(LONG).until(() -> hangs.interrupted().isPresent());
        CountDownLatch interrupted = new CountDownLatch(1);
        Flight other = started("other");
        other.runs(new Interruptable(interrupted::countDown));

        await().atMost(LONG).until(() -> interrupted.getCount() == 0);
        never.countDown();
        hangs.leaves();
        other.leaves();
    }

    @Test
    void runThatEndsInTimeIsNotInterrupted() throws Exception {
        Flight flight = started("quick");
        flight.leaves();
        Flight later = started("later");

        await().atMost(LONG).until(() -> later.interrupted().isPresent());
        assertThat(flight.interrupted()).isEmpty();
        later.leaves();
    }
}
