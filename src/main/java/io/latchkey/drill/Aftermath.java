package io.latchkey.drill;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What was seen from a fault's beginning until the service had settled.
 *
 * @param lines the whole run log
 * @param leaders what {@code /leader} said, in order
 */
record Aftermath(
        Instant injected, Instant healed, Instant settled, List<RunLine> lines, List<Sightings.LeaderSeen> leaders) {
    private static final Duration BEFORE = Duration.ofSeconds(2);

    /** Starts come every second at least; a pause that is longer by this was a closed gate. */
    static final Duration GATE = Duration.ofMillis(1400);

    /** Whether another term began. */
    boolean newTerm() {
        return leaders.stream()
                .anyMatch(seen -> seen.at().isAfter(injected) && !seen.at().isAfter(settled));
    }

    /** The longest time without a start of any job. */
    Duration longestGap() {
        Instant last = injected.minus(BEFORE);
        Duration longest = Duration.ZERO;
        for (RunLine line : lines) {
            if (line.isStart() && line.at().isAfter(last) && line.at().isBefore(settled)) {
                Duration gap = Duration.between(last, line.at());
                longest = gap.compareTo(longest) > 0 ? gap : longest;
                last = line.at();
            }
        }
        return longest;
    }

    /** Whether a gate was closed, or the leader changed. */
    boolean leadWasHurt() {
        return newTerm() || longestGap().compareTo(GATE) > 0;
    }

    /** Whether something due while the fault was on started later than this. */
    boolean startsLateBy(Duration late) {
        return lines.stream()
                .anyMatch(line -> line.isStart()
                        && line.at().isAfter(injected)
                        && line.fire().slot().isBefore(settled)
                        && line.at().isAfter(line.fire().slot().plus(late)));
    }

    /** Starts while the fault was on. */
    List<RunLine> starts() {
        return lines.stream()
                .filter(line -> line.isStart()
                        && line.at().isAfter(injected)
                        && line.at().isBefore(healed))
                .toList();
    }
}
