package io.latchkey.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.latchkey.conf.QuartzSettings;
import io.latchkey.election.Term;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.jobs.JobSpec;
import io.latchkey.jobs.Misfire;
import io.latchkey.jobs.Schedule;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.ledger.ClaimRequest;
import io.latchkey.ledger.ClaimResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.quartz.spi.OperableTrigger;
import org.quartz.spi.TriggerFiredResult;

/** The store and the scheduler by themselves: answers in order, and a thread that dies or falls silent is seen. */
class QuartzTermTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Lab lab = new Lab();
    private final JobSpec job = new JobSpec(Lab.job("j"), TestJobs.Quick.class, null, false, false, Map.of());
    private final List<TriggerSpec> specs = new ArrayList<>();
    private @Nullable QuartzTerm quartz;

    @AfterEach
    void close() {
        if (quartz != null) {
            quartz.stop();
        }
        lab.close();
    }

    private TermContext context(int triggers) {
        for (int i = 0; i < triggers; i++) {
            specs.add(new TriggerSpec(
                    Lab.trigger("t" + i),
                    job.key(),
                    Schedule.Simple.every(Duration.ofMinutes(1)),
                    5,
                    Map.of(),
                    null,
                    Misfire.ONCE));
        }
        Term term = lab.newTerm();
        return new TermContext(
                term,
                lab.ledger,
                lab.ledger.open(term),
                JobCatalog.of(List.of(job), specs),
                lab.running(new Deadlines(lab.threads)),
                lab.settings,
                lab.clock);
    }

    private LedgerJobStore filled(TermContext in, LedgerJobStore store) throws Exception {
        quartz = new QuartzTerm(
                in,
                store,
                new QuartzExtensions(QuartzSettings.NONE, JobCatalog.class.getClassLoader()),
                lab.threads,
                Duration.ofMillis(500));
        store.storeJob(job.toDetail(), true);
        for (TriggerSpec spec : specs) {
            store.put(new Track(spec, Reconciler.fresh(spec, Instant.now(), null)));
        }
        return store;
    }

    private QuartzTerm started(TermContext in) throws Exception {
        QuartzTerm made = java.util.Objects.requireNonNull(quartz);
        in.term().gate().open();
        made.start();
        return made;
    }

    @Test
    void answersAreAsManyAndInTheOrderOfTheTriggers() throws Exception {
        TermContext in = context(6);
        LedgerJobStore store = filled(in, new LedgerJobStore(in, lab.threads.faults(), id -> {}));
        in.term().gate().open();
        List<OperableTrigger> triggers = store.acquireNextTriggers(System.currentTimeMillis() + 1000, 6, 100);
        assertThat(triggers).hasSize(6);
        List<String> refused = List.of(
                triggers.get(1).getKey().getName(), triggers.get(4).getKey().getName());
        lab.ledger.onClaim = request -> answer(request, refused);

        List<TriggerFiredResult> results = store.triggersFired(triggers);
        assertThat(results).hasSize(6);
        for (int i = 0; i < 6; i++) {
            TriggerFiredResult result = results.get(i);
            assertThat(result.getException()).isNull();
            if (i == 1 || i == 4) {
                assertThat(result.getTriggerFiredBundle()).isNull();
            } else {
                assertThat(result.getTriggerFiredBundle().getTrigger().getKey())
                        .isEqualTo(triggers.get(i).getKey());
            }
        }
        // What was refused is put right already; releasing it, as Quartz does, must not hand it out twice.
        store.releaseAcquiredTrigger(triggers.get(1));
        assertThat(store.triggersFired(List.of(triggers.get(0))).get(0).getTriggerFiredBundle())
                .isNull();
    }

    private static @Nullable ClaimResult answer(ClaimRequest request, List<String> refused) {
        return refused.contains(request.id().trigger().getName())
                ? new ClaimResult.AlreadyDecided(request.id(), "by the test")
                : null;
    }

    @Test
    void closedGateAcquiresNothing() throws Exception {
        TermContext in = context(3);
        LedgerJobStore store = filled(in, new LedgerJobStore(in, lab.threads.faults(), id -> {}));
        assertThat(store.acquireNextTriggers(System.currentTimeMillis() + 1000, 6, 100))
                .isEmpty();
        in.term().gate().open();
        assertThat(store.acquireNextTriggers(System.currentTimeMillis() + 1000, 6, 100))
                .hasSize(3);
        in.term().gate().close("test");
        assertThat(store.acquireNextTriggers(System.currentTimeMillis() + 1000, 6, 100))
                .isEmpty();
    }

    @Test
    void schedulerThreadThatDiesIsSeen() throws Exception {
        TermContext in = context(1);
        filled(in, new LedgerJobStore(in, lab.threads.faults(), id -> {}) {
            @Override
            public List<OperableTrigger> acquireNextTriggers(long noLaterThan, int maxCount, long timeWindow) {
                throw new AssertionError("ends the thread");
            }
        });
        QuartzTerm made = started(in);
        await().atMost(LONG).until(() -> made.unhealthy().isPresent());
        assertThat(made.unhealthy().orElse("")).contains("died");
        assertThat(lab.halts).isEmpty();
    }

    @Test
    void schedulerThreadThatFallsSilentWhileSomethingIsDueIsSeen() throws Exception {
        TermContext in = context(1);
        CountDownLatch end = new CountDownLatch(1);
        filled(in, new LedgerJobStore(in, lab.threads.faults(), id -> {}) {
            @Override
            public List<OperableTrigger> acquireNextTriggers(long noLaterThan, int maxCount, long timeWindow) {
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return new ArrayList<>();
            }
        });
        QuartzTerm made = started(in);
        assertThat(made.unhealthy()).isEmpty();
        await().atMost(LONG).until(() -> made.unhealthy().isPresent());
        assertThat(made.unhealthy().orElse("")).contains("silent").contains("t0");
        end.countDown();
    }

    @Test
    void schedulerThatWaitsForAThreadIsHealthy() throws Exception {
        lab.settings = lab.settings.withThreads(1);
        TestJobs.gate = new CountDownLatch(1);
        JobSpec waits = new JobSpec(Lab.job("j"), TestJobs.Waiting.class, null, false, false, Map.of());
        TermContext in = context(3);
        LedgerJobStore store = filled(in, new LedgerJobStore(in, lab.threads.faults(), id -> {}));
        store.storeJob(waits.toDetail(), true);
        QuartzTerm made = started(in);
        await().atMost(LONG).until(() -> TestJobs.runs.size() == 1);
        await().pollDelay(Duration.ofSeconds(1))
                .untilAsserted(() -> assertThat(made.unhealthy()).isEmpty());
        TestJobs.gate.countDown();
        await().atMost(LONG).until(() -> TestJobs.runs.size() == 3);
    }
}
