package io.latchkey.conf;

import java.time.Duration;
import java.util.Optional;

/** The values a setting may have, both ends included. The one place a bound is written: records and loader both ask it. */
record Range<T extends Comparable<T>>(T min, T max) {
    /** The rule, if the value breaks it. */
    Optional<String> violation(T value) {
        return value.compareTo(min) >= 0 && value.compareTo(max) <= 0
                ? Optional.empty()
                : Optional.of("must be between " + show(min) + " and " + show(max));
    }

    /** @throws IllegalArgumentException naming the setting, if the value breaks the rule */
    void require(String name, T value) {
        violation(value).ifPresent(rule -> {
            throw new IllegalArgumentException(name + " is " + show(value) + " and " + rule);
        });
    }

    private static String show(Object value) {
        return value instanceof Duration duration ? Durations.format(duration) : value.toString();
    }
}
