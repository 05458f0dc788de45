package io.latchkey.metrics;

import io.latchkey.ledger.Request;
import io.latchkey.ledger.RunningRecord;
import io.latchkey.scheduler.TermScheduler;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.util.function.Supplier;

/** What runs here, and how late it starts. */
final class SchedulerMetrics {
    private final MeterRegistry registry;
    private final Clock clock;
    private final Timer lateness;

    SchedulerMetrics(MeterRegistry registry, Clock clock) {
        this.registry = registry;
        this.clock = clock;
        lateness = Meters.timer(
                registry,
                "latchkey.start.lateness",
                "From when a fire was due to its job's start; of first attempts in their time, not of those caught up",
                Meters.WAITING);
    }

    void watch(TermScheduler scheduler) {
        scheduler.running().onStart(this::started);
        gauge(
                "latchkey.running",
                "Fires that are claimed, run or are being recorded here",
                () -> scheduler.running().count());
        gauge(
                "latchkey.pool.threads",
                "Runs that this leader may have at once; 0 if it does not lead",
                () -> scheduler.load().threads());
        gauge(
                "latchkey.pool.busy",
                "How many of them it has",
                () -> scheduler.load().busy());
        gauge(
                "latchkey.retries.waiting",
                "Fires that failed and wait here to be tried again",
                () -> scheduler.load().retries());
        gauge(
                "latchkey.overdue.seconds",
                "How long the trigger has waited that is due and could run; 0 if this instance does not lead",
                () -> scheduler.load().overdue().toMillis() / 1000.0);
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        Gauge.builder(name, value).description(description).register(registry);
    }

    private void started(RunningRecord record) {
        if (record.earlier().isEmpty()
                && !record.info().missed().catchUp()
                && !record.id().trigger().getGroup().equals(Request.GROUP)) {
            Duration late = Duration.between(record.slot(), clock.instant());
            // A clock that steps back makes no fire early.
            lateness.record(late.isNegative() ? Duration.ZERO : late);
        }
    }
}
