package io.latchkey.drill;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs of a non-concurrent job do not overlap. The exceptions, which are measured: a run whose process stood still until its
 * session was over could not be interrupted, and goes on for a moment when it wakes; and where a session does not run out
 * but is ended from outside, its runs go on until that is heard, or the lease is over.
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
        Exceptions frozen = new Exceptions();
        Exceptions robbed = new Exceptions();
        byJob.values().forEach(runs -> {
            List<Evidence.Run> open = new ArrayList<>();
            for (Evidence.Run run : runs) {
                open.removeIf(
                        earlier -> !evidence.endOf(earlier).isAfter(run.start().at()));
                open.forEach(earlier -> overlap(evidence, earlier, run, frozen, robbed, findings));
                open.add(run);
            }
        });
        frozen.tell("after a freeze", findings);
        robbed.tell("after their session was ended from outside", findings);
    }

    private static void overlap(
            Evidence evidence,
            Evidence.Run earlier,
            Evidence.Run later,
            Exceptions frozen,
            Exceptions robbed,
            Findings findings) {
        RunLine a = earlier.start();
        RunLine b = later.start();
        Instant aEnd = evidence.endOf(earlier);
        Instant bEnd = evidence.endOf(later);
        Duration both = Duration.between(b.at(), aEnd.isBefore(bEnd) ? aEnd : bEnd);
        Optional<Sightings.Incarnation> owner = evidence.incarnationOf(a);
        boolean lived = owner.map(o -> o.lastSeen().isAfter(b.at())).orElse(false);
        Optional<FaultTry.Cut> cut = lived || a.pid() == b.pid() ? Optional.empty() : excuse(evidence, a, b, both);
        if (cut.isPresent()) {
            (cut.get().how() == FaultTry.Cut.How.FROZEN ? frozen : robbed).add(both);
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

    private static Optional<FaultTry.Cut> excuse(Evidence evidence, RunLine a, RunLine b, Duration both) {
        return evidence.cuts().stream()
                .filter(cut -> cut.instance().equals(a.instance())
                        && !cut.from().isAfter(b.at())
                        && switch (cut.how()) {
                            case NETWORK -> false;
                            case FROZEN -> cut.to().isAfter(a.at());
                            case SESSION_ENDED -> {
                                Duration heard = evidence.limits()
                                        .lease()
                                        .plus(evidence.pace()
                                                .allow(StartChecks.LOGGING, cut.from(), b.at().plus(both)));
                                yield a.at().isBefore(cut.to().plus(StartChecks.LOGGING))
                                        && !b.at().plus(both).isAfter(cut.from().plus(heard));
                            }
                        })
                .findFirst();
    }

    private static final class Exceptions {
        private int count;
        private Duration longest = Duration.ZERO;

        void add(Duration overlap) {
            count++;
            longest = overlap.compareTo(longest) > 0 ? overlap : longest;
        }

        void tell(String when, Findings findings) {
            if (count > 0) {
                findings.measured("%d runs of non-concurrent jobs went on beside the next one %s, for %s at most"
                        .formatted(count, when, Findings.seconds(longest)));
            }
        }
    }
}
