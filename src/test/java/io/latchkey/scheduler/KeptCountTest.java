package io.latchkey.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.jobs.Misfire;
import io.latchkey.jobs.Schedule;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.jobs.Window;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.Gap;
import io.latchkey.ledger.PlannerSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quartz.SimpleTrigger;
import org.quartz.impl.triggers.SimpleTriggerImpl;

/** How many fires a simple trigger has left after a gap, by instruction, is what Quartz's own trigger says. */
class KeptCountTest {
    private static final int REPEATS = 9;
    private static final Duration INTERVAL = Duration.ofSeconds(10);
    private static final int FIRED = 2;

    @ParameterizedTest
    @CsvSource({
        SimpleTrigger.MISFIRE_INSTRUCTION_RESCHEDULE_NOW_WITH_EXISTING_REPEAT_COUNT + ",ONCE,35",
        SimpleTrigger.MISFIRE_INSTRUCTION_RESCHEDULE_NOW_WITH_EXISTING_REPEAT_COUNT + ",ONCE,2105",
        SimpleTrigger.MISFIRE_INSTRUCTION_RESCHEDULE_NOW_WITH_REMAINING_REPEAT_COUNT + ",ONCE,35",
        SimpleTrigger.MISFIRE_INSTRUCTION_RESCHEDULE_NOW_WITH_REMAINING_REPEAT_COUNT + ",ONCE,2105",
        SimpleTrigger.MISFIRE_INSTRUCTION_RESCHEDULE_NEXT_WITH_EXISTING_COUNT + ",NOTHING,35",
        SimpleTrigger.MISFIRE_INSTRUCTION_RESCHEDULE_NEXT_WITH_EXISTING_COUNT + ",NOTHING,2105",
        SimpleTrigger.MISFIRE_INSTRUCTION_RESCHEDULE_NEXT_WITH_REMAINING_COUNT + ",NOTHING,35",
        SimpleTrigger.MISFIRE_INSTRUCTION_RESCHEDULE_NEXT_WITH_REMAINING_COUNT + ",NOTHING,2105",
    })
    void asManyAreLeftAsQuartzHasLeft(int instruction, Misfire misfire, long gap) {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        Instant oldest = now.minusSeconds(gap);
        Instant start = oldest.minus(INTERVAL.multipliedBy(FIRED));
        assertThat(leftHere(instruction, misfire, start, oldest, now))
                .isEqualTo(leftWithQuartz(instruction, start, oldest));
    }

    private static int leftWithQuartz(int instruction, Instant start, Instant oldest) {
        SimpleTriggerImpl trigger = new SimpleTriggerImpl();
        trigger.setStartTime(Date.from(start));
        trigger.setRepeatCount(REPEATS);
        trigger.setRepeatInterval(INTERVAL.toMillis());
        trigger.setMisfireInstruction(instruction);
        trigger.setTimesTriggered(FIRED);
        trigger.setNextFireTime(Date.from(oldest));
        trigger.updateAfterMisfire(null);
        int left = 0;
        for (; trigger.getNextFireTime() != null; left++) {
            trigger.triggered(null);
        }
        return left;
    }

    private static int leftHere(int instruction, Misfire misfire, Instant start, Instant oldest, Instant now) {
        boolean keeps = instruction == SimpleTrigger.MISFIRE_INSTRUCTION_RESCHEDULE_NOW_WITH_EXISTING_REPEAT_COUNT;
        Schedule schedule = new Schedule.Simple(Window.OPEN, REPEATS, INTERVAL, keeps);
        TriggerSpec spec = new TriggerSpec(Lab.trigger("t"), Lab.job("j"), schedule, 5, Map.of(), null, misfire);
        Cursor.Anchor anchor = new Cursor.Anchor(start, REPEATS);
        Track track = new Track(
                spec,
                new Cursor(
                        spec.key(),
                        spec.job(),
                        spec.fingerprint(),
                        anchor,
                        new Cursor.Place(oldest, oldest.minus(INTERVAL), FIRED),
                        null));
        track.missedUntil(now, Gap.MISSED);
        var plan = track.plan(now, new PlannerSettings(Duration.ofSeconds(5), 1000));
        int left = plan.run().isPresent() ? 1 : 0;
        track.moved(plan.after());
        Optional<Instant> next = Optional.ofNullable(track.cursor().next());
        for (; next.isPresent(); left++) {
            assertThat(next.get()).as("to come, and in phase").isAfter(now);
            assertThat(Duration.between(start, next.get()).toMillis() % INTERVAL.toMillis())
                    .isZero();
            next = track.table().next(next.get());
        }
        return left;
    }
}
