package io.latchkey.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;

class FireContextTest {
    private static final Instant SLOT = Instant.parse("2026-11-29T12:00:00Z");

    private final Map<Object, Object> keys = new HashMap<>(Map.of(
            FireContext.FIRE_ID,
            "DEFAULT.t@" + SLOT,
            FireContext.FENCING_TOKEN,
            77L,
            FireContext.ATTEMPT,
            1,
            FireContext.TERM,
            3L,
            FireContext.INSTANCE,
            "i1",
            FireContext.STILL_LEADING,
            (BooleanSupplier) () -> true,
            FireContext.LEASE_REMAINING,
            (Supplier<Duration>) () -> Duration.ofSeconds(4)));

    @Test
    void ordinaryRunSeesItsSlotAndNothingMissed() {
        FireContext fire = FireContext.of(context());

        assertThat(fire.fireId()).isEqualTo("DEFAULT.t@2026-11-29T12:00:00Z");
        assertThat(fire.fencingToken()).isEqualTo(77);
        assertThat(fire.term()).isEqualTo(3);
        assertThat(fire.attempt()).isEqualTo(1);
        assertThat(fire.instance()).isEqualTo("i1");
        assertThat(fire.scheduledTime()).isEqualTo(SLOT);
        assertThat(fire.isCatchUp()).isFalse();
        assertThat(fire.isRecovering()).isFalse();
        assertThat(fire.missedCount()).isZero();
        assertThat(fire.firstMissed()).isEmpty();
        assertThat(fire.stillLeading()).isTrue();
        assertThat(fire.leaseRemaining()).isEqualTo(Duration.ofSeconds(4));
    }

    @Test
    void catchUpRunSeesWhatItStandsFor() {
        keys.put(FireContext.CATCH_UP, true);
        keys.put(FireContext.MISSED_COUNT, 9L);
        keys.put(FireContext.FIRST_MISSED, SLOT.minusSeconds(80));
        keys.put(FireContext.SCHEDULED_TIME, SLOT.minusSeconds(1));
        FireContext fire = FireContext.of(context());

        assertThat(fire.isCatchUp()).isTrue();
        assertThat(fire.missedCount()).isEqualTo(9);
        assertThat(fire.firstMissed()).contains(SLOT.minusSeconds(80));
        assertThat(fire.scheduledTime()).isEqualTo(SLOT.minusSeconds(1));
    }

    @Test
    void catchUpOfOneSlotStandsForItself() {
        keys.put(FireContext.CATCH_UP, true);

        assertThat(FireContext.of(context()).missedCount()).isEqualTo(1);
        assertThat(FireContext.of(context()).firstMissed()).contains(SLOT);
    }

    @Test
    void runWithoutATimeoutHasNoDeadline() {
        assertThat(FireContext.of(context()).deadline()).isEmpty();
        assertThat(FireContext.of(context()).timeRemaining()).isEqualTo(FireContext.NO_LIMIT);
    }

    @Test
    void runWithATimeoutKnowsItsDeadline() {
        keys.put(FireContext.DEADLINE, SLOT.plusSeconds(30));
        keys.put(FireContext.TIME_REMAINING, (Supplier<Duration>) () -> Duration.ofSeconds(29));

        assertThat(FireContext.of(context()).deadline()).contains(SLOT.plusSeconds(30));
        assertThat(FireContext.of(context()).timeRemaining()).isEqualTo(Duration.ofSeconds(29));
    }

    @Test
    void outputIsLeftInTheContextCutAndClean() {
        FireContext.of(context()).output("3 rows\u0007\n");

        assertThat(keys).containsEntry(FireContext.OUTPUT, "3 rows");
    }

    @Test
    void secondAttemptIsRecovering() {
        keys.put(FireContext.ATTEMPT, 2);

        assertThat(FireContext.of(context()).isRecovering()).isTrue();
    }

    @Test
    void runThatLatchkeyDidNotStartSaysSo() {
        keys.clear();

        assertThatThrownBy(() -> FireContext.of(context())).hasMessageContaining("not started by Latchkey");
    }

    @Test
    void catalogFindsItsOwn() {
        TriggerSpec trigger = TimeTableTest.spec(new Schedule.Cron("0 0 6 * * ?", ZoneOffset.UTC));
        JobSpec job = new JobSpec(trigger.job(), GreetJob.class, null, false, false, Map.of());
        JobCatalog catalog = JobCatalog.of(java.util.List.of(job), java.util.List.of(trigger));

        assertThat(catalog.job(job.key())).contains(job);
        assertThat(catalog.trigger(trigger.key())).contains(trigger);
        assertThat(catalog.triggersOf(job.key())).containsExactly(trigger);
    }

    /** Quartz makes contexts only within a scheduler; five methods are all that is asked of this one. */
    private JobExecutionContext context() {
        return (JobExecutionContext) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {JobExecutionContext.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "get" -> keys.get(arguments[0]);
                    case "put" -> keys.put(arguments[0], arguments[1]);
                    case "getScheduledFireTime" -> Date.from(SLOT);
                    case "isRecovering" -> false;
                    case "getJobDetail" ->
                        JobBuilder.newJob(GreetJob.class).withIdentity("j").build();
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
