package io.latchkey.drill;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs of a non-concurrent job do not overlap. The one exception: a run whose process stood still until its session was
 * over could not be interrupted, and goes on for a moment when it wakes. That is measured.
 */
final class OverlapCheck {
    private OverlapCheck() {}

    static void run(Evidence evidence, Findings findings) {
        Map<String, List<Evidence.Run>> byJob = new HashMap<>();
        for (Evidence.Run run : evidence.runs()) {
            DrillTrigger trigger = DrillJobs.byName().get(run.start().fire().trigger());
            if (trigger != null && trigger.job().nonConcurrent()) {
                byJob.computeIfAbsent(run.start().job(), job -> new ArrayList<>())
                        .add(run);
            }
        }
        Exceptions exceptions = new Exceptions();
        byJob.values().forEach(runs -> {
            List<Evidence.Run> open = new ArrayList<>();
            for (Evidence.Run run : runs) {
                open.removeIf(
                        earlier -> !evidence.endOf(earlier).isAfter(run.start().at()));
                open.forEach(earlier -> overlap(evidence, earlier, run, exceptions, findings));
                open.add(run);
            }
        });
        if (exceptions.count > 0) {
            findings.measured(
                    "%d runs of non-concurrent jobs went on beside the next one after a freeze, for %s at most"
                            .formatted(exceptions.count, Findings.seconds(exceptions.longest)));
        }
    }

    private static void overlap(
            Evidence evidence, Evidence.Run earlier, Evidence.Run later, Exceptions exceptions, Findings findings) {
        RunLine a = earlier.start();
        RunLine b = later.start();
        Instant aEnd = evidence.endOf(earlier);
        Instant bEnd = evidence.endOf(later);
        Duration both = Duration.between(b.at(), aEnd.isBefore(bEnd) ? aEnd : bEnd);
        Optional<Sightings.Incarnation> owner = evidence.incarnationOf(a);
        boolean lived = owner.map(o -> o.lastSeen().isAfter(b.at())).orElse(false);
        boolean frozen = evidence.cuts().stream()
                .anyMatch(cut -> cut.frozen()
                        && cut.instance().equals(a.instance())
                        && !cut.from().isAfter(b.at())
                        && cut.to().isAfter(a.at()));
        if (frozen && !lived && a.pid() != b.pid()) {
            exceptions.add(both);
            return;
        }
        findings.add(
                Violation.Kind.OVERLAP,
                b.at(),
                "%s ran on %s from %s to %s, and %s on %s from %s%s"
                        .formatted(
                                a.fire(),
                                a.instance(),
                                a.at(),
                                aEnd.equals(Instant.MAX) ? "(no end)" : aEnd,
                                b.fire(),
                                b.instance(),
                                b.at(),
                                lived ? "; the first one's session lived" : ""));
    }

    private static final class Exceptions {
        private int count;
        private Duration longest = Duration.ZERO;

        void add(Duration overlap) {
            count++;
            longest = overlap.compareTo(longest) > 0 ? overlap : longest;
        }
    }
}
