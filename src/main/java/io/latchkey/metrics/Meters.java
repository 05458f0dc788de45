package io.latchkey.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Meters of the usual kinds. */
final class Meters {
    /** Of what takes milliseconds when all is well, and seconds when it is not. */
    static final Duration[] ROUND_TRIP = millis(1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000);

    /** Of what takes as long as the threads are busy. */
    static final Duration[] WAITING =
            millis(10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000);

    private Meters() {}

    private static Duration[] millis(long... bounds) {
        Duration[] out = new Duration[bounds.length];
        for (int i = 0; i < bounds.length; i++) {
            out[i] = Duration.ofMillis(bounds[i]);
        }
        return out;
    }

    /** A histogram with fixed bounds. */
    static Timer timer(MeterRegistry registry, String name, String description, Duration... bounds) {
        return Timer.builder(name)
                .description(description)
                .serviceLevelObjectives(bounds)
                .register(registry);
    }

    /** A counter for each of an enumeration's constants, all of them there from the start: a rate needs a zero before. */
    static <E extends Enum<E>> Each<E> each(
            MeterRegistry registry, String name, String description, String label, Class<E> type) {
        Map<E, Counter> counters = new EnumMap<>(type);
        for (E constant : type.getEnumConstants()) {
            counters.put(
                    constant,
                    Counter.builder(name)
                            .description(description)
                            .tag(label, text(constant))
                            .register(registry));
        }
        return constant -> Objects.requireNonNull(counters.get(constant)).increment();
    }

    /** Counts one of an enumeration's constants. */
    interface Each<E extends Enum<E>> {
        void count(E constant);
    }

    static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
