package io.latchkey.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.jobs.Misfire;
import io.latchkey.jobs.Schedule;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.jobs.Window;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.CursorWrite;
import io.latchkey.ledger.LedgerState;
import io.latchkey.ledger.Paused;
import io.latchkey.ledger.Skipped;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.quartz.TriggerKey;

/** The configuration against the cursors that are there. */
class ReconcilerTest {
    private static final ZoneId UTC = ZoneId.of("UTC");
    private static final Duration DAY = Duration.ofDays(1);
    private static final Instant NOW = Instant.parse("2026-11-29T09:00:00Z");

    private final Map<TriggerKey, Cursor> cursors = new HashMap<>();
    private final Map<TriggerKey, String> malformed = new HashMap<>();

    private static TriggerSpec daily(int hour) {
        return new TriggerSpec(
                Lab.trigger("daily"),
                Lab.job("report"),
                new Schedule.Cron("0 0 " + hour + " * * ?", UTC),
                5,
                Map.of(),
                null,
                Misfire.ONCE);
    }

    private Reconciler.Result reconcile(Map<TriggerKey, Instant> latest, TriggerSpec... specs) {
        LedgerState state =
                new LedgerState(cursors, malformed, List.of(), Set.of(), Paused.NOTHING, Map.of(), List.of());
        return new Reconciler(state, NOW, DAY, true).reconcile(Arrays.asList(specs), latest);
    }

    private Cursor plant(TriggerSpec spec, Instant next) {
        Instant start = Instant.parse("2026-11-01T00:00:00Z");
        Cursor cursor = Cursor.first(spec.key(), spec.job(), spec.fingerprint(), new Cursor.Anchor(start, -1), next);
        cursors.put(spec.key(), cursor);
        return cursor;
    }

    @Test
    void newTriggerIsWrittenBeforeItFiresAndStartsFromNow() {
        Reconciler.Result result = reconcile(Map.of(), daily(6));
        assertThat(result.writes()).hasSize(1);
        assertThat(result.tracks().get(0).cursor().next()).isEqualTo("2026-11-30T06:00:00Z");
    }

    @Test
    void knownTriggerKeepsItsPlaceWithoutAWrite() {
        plant(daily(18), Instant.parse("2026-11-28T18:00:00Z"));
        Reconciler.Result result = reconcile(Map.of(), daily(18));
        assertThat(result.writes()).isEmpty();
        assertThat(result.tracks().get(0).cursor().next()).isEqualTo("2026-11-28T18:00:00Z");
    }

    @Test
    void changedScheduleStartsAnewFromNow() {
        plant(daily(18), Instant.parse("2026-11-29T18:00:00Z"));
        Reconciler.Result result = reconcile(Map.of(), daily(6));
        assertThat(result.writes()).hasSize(1);
        assertThat(result.tracks().get(0).cursor().next()).isEqualTo("2026-11-30T06:00:00Z");
    }

    @Test
    void changeOfDataOrDescriptionKeepsThePlace() {
        TriggerSpec before = daily(18);
        plant(before, Instant.parse("2026-11-28T18:00:00Z"));
        TriggerSpec after = new TriggerSpec(
                before.key(), before.job(), before.schedule(), 9, Map.of("a", "b"), "other", Misfire.ALL);
        assertThat(reconcile(Map.of(), after).tracks().get(0).cursor().next()).isEqualTo("2026-11-28T18:00:00Z");
    }

    @Test
    void removedTriggerIsKeptADayAndThenCollected() {
        TriggerSpec spec = daily(18);
        Cursor cursor = plant(spec, Instant.parse("2026-11-28T18:00:00Z"));
        assertThat(reconcile(Map.of()).writes())
                .containsExactly(new CursorWrite.Put(cursor.orphaned(NOW), java.util.Optional.empty()));

        cursors.put(spec.key(), cursor.orphaned(NOW.minus(DAY).plusSeconds(60)));
        assertThat(reconcile(Map.of()).writes()).isEmpty();

        cursors.put(spec.key(), cursor.orphaned(NOW.minus(DAY).minusSeconds(60)));
        assertThat(reconcile(Map.of()).writes()).containsExactly(new CursorWrite.Delete(spec.key()));
    }

    @Test
    void triggerThatComesBackWithinADayKeepsItsPlaceLaterItIsNew() {
        TriggerSpec spec = daily(18);
        Cursor cursor = plant(spec, Instant.parse("2026-11-28T18:00:00Z"));
        cursors.put(spec.key(), cursor.orphaned(NOW.minusSeconds(3600)));
        Reconciler.Result back = reconcile(Map.of(), spec);
        assertThat(back.tracks().get(0).cursor()).isEqualTo(cursor);
        assertThat(back.writes()).hasSize(1);

        cursors.put(spec.key(), cursor.orphaned(NOW.minus(DAY).minusSeconds(60)));
        assertThat(reconcile(Map.of(), spec).tracks().get(0).cursor().next()).isEqualTo("2026-11-29T18:00:00Z");
    }

    @Test
    void malformedCursorIsScheduledFromNow() {
        malformed.put(daily(18).key(), "not JSON");
        assertThat(reconcile(Map.of(), daily(18)).tracks().get(0).cursor().next())
                .isEqualTo("2026-11-29T18:00:00Z");
    }

    @Test
    void whatADamagedOrDeletedCursorOrAnOldScheduleHadDueIsOnRecordAsSkipped() {
        TriggerSpec spec = daily(18);
        Instant latest =
                NOW.minus(Duration.ofDays(900)).truncatedTo(ChronoUnit.DAYS).plusSeconds(18 * 3600);
        malformed.put(spec.key(), "not JSON");
        assertThat(skip(reconcile(Map.of(spec.key(), latest), spec))).satisfies(skip -> {
            assertThat(skip.first()).isEqualTo(latest.plus(DAY));
            assertThat(skip.last()).isEqualTo("2026-11-28T18:00:00Z");
            assertThat(skip.count())
                    .isEqualTo(Duration.between(latest, skip.last()).toDays());
            assertThat(skip.why()).contains("cannot be read");
        });

        malformed.clear();
        TriggerSpec often = new TriggerSpec(
                spec.key(), spec.job(), Schedule.Simple.every(Duration.ofMinutes(1)), 5, Map.of(), null, Misfire.ALL);
        Map<TriggerKey, Instant> hourAgo = Map.of(spec.key(), NOW.minusSeconds(3600));
        assertThat(skip(reconcile(hourAgo, often))).satisfies(skip -> {
            assertThat(skip.first()).isEqualTo(NOW.minusSeconds(3540));
            assertThat(skip.count()).isEqualTo(59);
            assertThat(skip.why()).contains("deleted");
        });
        // It may have been out of the configuration.
        assertThat(((CursorWrite.Put) reconcile(Map.of(spec.key(), latest), often)
                                .writes()
                                .get(0))
                        .skip())
                .isEmpty();

        plant(spec, Instant.parse("2026-11-28T18:00:00Z"));
        assertThat(skip(reconcile(Map.of(), daily(6)))).satisfies(skip -> {
            assertThat(skip.first()).isEqualTo("2026-11-28T18:00:00Z");
            assertThat(skip.count()).isEqualTo(1);
            assertThat(skip.why()).contains("the schedule was changed");
        });
    }

    private static Skipped skip(Reconciler.Result result) {
        return ((CursorWrite.Put) result.writes().get(0)).skip().orElseThrow();
    }

    @Test
    void recreatedCursorStartsAfterTheLatestSlotKnownEvenIfTheClockIsBehind() {
        Instant ahead = Instant.parse("2026-11-29T18:00:00Z");
        Reconciler.Result result = reconcile(Map.of(daily(18).key(), ahead), daily(18));
        assertThat(result.tracks().get(0).cursor().next()).isEqualTo("2026-11-30T18:00:00Z");
    }

    @Test
    void finishedStaysFinishedAndAPastOneShotIsFinishedAtOnce() {
        TriggerSpec shot = new TriggerSpec(
                Lab.trigger("shot"),
                Lab.job("report"),
                new Schedule.Simple(new Window(NOW.minusSeconds(60), Duration.ZERO, null), 0, Duration.ZERO),
                5,
                Map.of(),
                null,
                Misfire.ALL);
        assertThat(reconcile(Map.of(), shot).tracks().get(0).cursor().finished())
                .isTrue();
    }
}
