package io.latchkey.metrics;

import io.latchkey.election.Gate;
import io.latchkey.election.Leadership;
import io.latchkey.election.Role;
import io.latchkey.election.Term;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/** This instance in the election. */
final class ElectionMetrics {
    private final MeterRegistry registry;
    private final Counter taken;
    private final Meters.Each<Gate.Cause> closures;

    ElectionMetrics(MeterRegistry registry) {
        this.registry = registry;
        taken = Counter.builder("latchkey.terms.taken")
                .description("Terms that this instance took")
                .register(registry);
        closures = Meters.each(
                registry,
                "latchkey.gate.closures",
                "Ends of this instance's terms, by what closed the gate",
                "cause",
                Gate.Cause.class);
    }

    void watch(Leadership leadership) {
        leadership.onTerm(this::taken);
        Gauge.builder("latchkey.leading", () -> leads(leadership) ? 1 : 0)
                .description("1 while this instance leads: its gate is open")
                .register(registry);
        Gauge.builder("latchkey.lease.remaining", () -> lease(leadership))
                .description(
                        "How long this leader's session is surely alive without a further write; not a number if it"
                                + " does not lead")
                .baseUnit("seconds")
                .register(registry);
        for (Role role : Role.values()) {
            Gauge.builder("latchkey.role", () -> leadership.role() == role ? 1 : 0)
                    .description("1 for the role that this instance has")
                    .tag("role", Meters.text(role))
                    .register(registry);
        }
    }

    private void taken(Term term) {
        taken.increment();
        term.gate().onClose(() -> closures.count(term.gate().cause()));
    }

    static boolean leads(Leadership leadership) {
        return leadership.role() == Role.LEADING
                && leadership.term().filter(term -> term.gate().isOpen()).isPresent();
    }

    private static double lease(Leadership leadership) {
        return leads(leadership)
                ? leadership
                        .term()
                        .map(term -> seconds(term.lease().remaining()))
                        .orElse(Double.NaN)
                : Double.NaN;
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
