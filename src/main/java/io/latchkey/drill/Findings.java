package io.latchkey.drill;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Collects what the checks find: violations, and what they measured of what is allowed. */
final class Findings {
    private final List<Violation> violations = new ArrayList<>();
    private final List<String> measured = new ArrayList<>();

    void add(Violation.Kind kind, Instant at, String text) {
        violations.add(new Violation(kind, at, text));
    }

    void measured(String text) {
        measured.add(text);
    }

    List<Violation> violations() {
        return List.copyOf(violations);
    }

    List<String> measured() {
        return List.copyOf(measured);
    }

    static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
    }
}
