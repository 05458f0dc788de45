package io.latchkey.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.latchkey.jobs.Misfire;
import io.latchkey.jobs.Schedule;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.ledger.Attempt;
import io.latchkey.ledger.Completion;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.FireLedger;
import io.latchkey.ledger.LedgerState;
import io.latchkey.ledger.Missed;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.Owner;
import io.latchkey.ledger.RunInfo;
import io.latchkey.ledger.RunningRecord;
import io.latchkey.ledger.TermLedger;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.quartz.JobKey;

/** What a scheduler does on a ledger that leaves something out: fires stay undecided. {@code src/test/MUTANTS.md} has the list. */
class SchedulerMutantsTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String DEAD = "0xdead";

    private final Lab lab = new Lab();

    @AfterEach
    void close() {
        lab.close();
    }

    @Test
    void withTheReleaseLostAFireThatNeverStartedIsLeftOver() throws Exception {
        assertThat(fireGivenBackRunsElsewhere()).isTrue();
        lab.seenAs = SchedulerMutantsTest::losingReleases;
        assertThat(fireGivenBackRunsElsewhere()).isFalse();
    }

    @Test
    void withoutTheOwnersIncarnationTheFiresOfOneThatWasRestartedAreLeftOver() throws Exception {
        assertThat(fireOfAnEarlierIncarnationIsDecided("asked")).isTrue();
        lab.seenAs = SchedulerMutantsTest::knowingInstancesById;
        assertThat(fireOfAnEarlierIncarnationIsDecided("not asked")).isFalse();
    }

    /** The gate closes while a fire is claimed; then another instance leads, and this one lives on. */
    private boolean fireGivenBackRunsElsewhere() throws Exception {
        lab.forgetConfiguration();
        TestJobs.reset();
        JobKey job = lab.addJob("given-" + lab.ledger.records.size(), TestJobs.Quick.class);
        TriggerSpec trigger =
                lab.addTrigger(job.getName(), job, Schedule.Simple.every(Duration.ofMillis(100)), Misfire.ONCE);
        lab.reload();
        lab.ledger.beforeClaim = () -> lab.term().gate().close("at the worst moment");
        lab.lead();
        FireId id = await().atMost(LONG)
                .until(
                        () -> lab.ledger.records.keySet().stream()
                                .filter(fire -> fire.trigger().equals(trigger.key()))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
        lab.passOn();
        lab.ledger.beforeClaim = () -> {};
        return isDecidedBeforeOthersHaveRunOften(id);
    }

    /** A fire of an instance that was started again since: its id is there, its session is not. */
    private boolean fireOfAnEarlierIncarnationIsDecided(String name) throws Exception {
        lab.forgetConfiguration();
        TestJobs.reset();
        JobKey job = lab.addJob(name, TestJobs.Quick.class, true, Map.of());
        Instant slot = Instant.now().minusSeconds(30).truncatedTo(ChronoUnit.SECONDS);
        Schedule hourly = Schedule.Simple.every(Duration.ofHours(1));
        TriggerSpec trigger = lab.addTrigger(name, job, hourly, Misfire.ONCE, slot, slot.plusSeconds(3600));
        FireId id = new FireId(trigger.key(), slot);
        lab.ledger.plant(RunningRecord.claimed(
                id,
                job,
                new RunInfo(true, false, Missed.NONE, Map.of()),
                new Attempt(1, new Owner("elsewhere", DEAD, 7, 70), "nonce", slot)));
        lab.reload();
        return isDecidedBeforeOthersHaveRunOften(id);
    }

    private boolean isDecidedBeforeOthersHaveRunOften(FireId id) throws Exception {
        JobKey tick = lab.addJob("tick", TestJobs.Quick.class);
        lab.addTrigger("tick", tick, Schedule.Simple.every(Duration.ofMillis(50)), Misfire.ONCE);
        lab.lead();
        await().atMost(LONG)
                .until(() -> lab.ledger.outcomes().containsKey(id)
                        || TestJobs.runsOf("tick").size() >= 30);
        lab.stop();
        Outcome outcome = lab.ledger.outcomes().get(id);
        return outcome != null && outcome.kind() == Outcome.Kind.SUCCEEDED;
    }

    private static FireLedger losingReleases(FireLedger real) {
        return over(FireLedger.class, real, (method, result) -> result, "release");
    }

    private static FireLedger knowingInstancesById(FireLedger real) {
        UnaryOperator<Set<String>> byId = live -> {
            Set<String> more = new HashSet<>(live);
            more.add(DEAD);
            return more;
        };
        return over(
                FireLedger.class,
                real,
                (method, result) -> result instanceof TermLedger term
                        ? over(
                                TermLedger.class,
                                term,
                                (called, answer) -> switch (called.getName()) {
                                    case "liveIncarnations" -> byId.apply(incarnations(answer));
                                    case "load" -> {
                                        LedgerState state = (LedgerState) answer;
                                        yield new LedgerState(
                                                state.cursors(),
                                                state.malformed(),
                                                state.running(),
                                                byId.apply(state.live()),
                                                state.paused(),
                                                state.jobData(),
                                                state.requests());
                                    }
                                    default -> answer;
                                },
                                "")
                        : result,
                "");
    }

    @SuppressWarnings("unchecked")
    private static Set<String> incarnations(Object answer) {
        return (Set<String>) answer;
    }

    /** The same, but that answers are changed, and calls of one name are forgotten. */
    private static <T> T over(
            Class<T> type, T real, BiFunction<Method, @Nullable Object, @Nullable Object> change, String forgotten) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> {
            if (method.getName().equals(forgotten)) {
                return CompletableFuture.completedFuture(new Completion.Recorded());
            }
            try {
                return change.apply(method, method.invoke(real, args));
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }
}
