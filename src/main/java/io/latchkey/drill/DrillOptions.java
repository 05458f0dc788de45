package io.latchkey.drill;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a drill is to do.
 *
 * @param length how long faults are made; each kind is made once even if that takes longer
 * @param seed what the faults are drawn by
 * @param instances how many, 2 to 9
 * @param kinds which faults, as {@link Drill#kinds} names them; empty for all
 * @param keep where to keep all files; empty to delete them at the end
 * @param report where the picture goes
 * @param launcher this distribution's {@code bin/latchkey}
 */
public record DrillOptions(
        Duration length,
        long seed,
        int instances,
        List<String> kinds,
        Optional<Path> keep,
        Path report,
        String launcher) {
    private static final int MOST = 9;

    public DrillOptions {
        kinds = List.copyOf(kinds);
        if (length.isNegative() || length.isZero()) {
            throw new IllegalArgumentException("a drill takes at least a minute");
        }
        if (instances < 2 || instances > MOST) {
            throw new IllegalArgumentException("a drill takes 2 to " + MOST + " instances, not " + instances);
        }
        kinds.forEach(DrillOptions::kind);
    }

    List<FaultKind> chosen() {
        return kinds.isEmpty()
                ? List.of(FaultKind.values())
                : kinds.stream().map(DrillOptions::kind).distinct().toList();
    }

    private static FaultKind kind(String name) {
        for (FaultKind kind : FaultKind.values()) {
            if (kind.option().equals(name)) {
                return kind;
            }
        }
        throw new IllegalArgumentException(
                "there is no fault \"" + name + "\"; there are: " + String.join(", ", Drill.kinds()));
    }
}
