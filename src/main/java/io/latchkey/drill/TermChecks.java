package io.latchkey.drill;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** Who led, and how soon after a fault. */
final class TermChecks {
    private TermChecks() {}

    /** One leader and one token a term; tokens rise with terms; neither falls as time goes by. */
    static void rising(Evidence evidence, Findings findings) {
        Map<Long, RunLine> terms = new TreeMap<>();
        for (Evidence.Run run : evidence.runs()) {
            RunLine start = run.start();
            RunLine first = terms.putIfAbsent(start.term(), start);
            if (first != null
                    && (first.token() != start.token() || !first.instance().equals(start.instance()))) {
                findings.add(
                        Violation.Kind.TOKEN,
                        start.at(),
                        "term %d was led by %s with token %d and by %s with token %d"
                                .formatted(
                                        start.term(),
                                        first.instance(),
                                        first.token(),
                                        start.instance(),
                                        start.token()));
            }
        }
        RunLine before = null;
        for (RunLine first : terms.values()) {
            if (before != null && first.token() <= before.token()) {
                findings.add(
                        Violation.Kind.TOKEN,
                        first.at(),
                        "term %d has token %d, not above the %d of term %d"
                                .formatted(first.term(), first.token(), before.token(), before.term()));
            }
            before = first;
        }
        Sightings.LeaderSeen last = null;
        for (Sightings.LeaderSeen seen : evidence.sightings().leaders()) {
            if (last != null && (seen.term() < last.term() || seen.token() < last.token())) {
                findings.add(
                        Violation.Kind.TOKEN,
                        seen.at(),
                        "/leader went from term %d, token %d to term %d, token %d"
                                .formatted(last.term(), last.token(), seen.term(), seen.token()));
            }
            last = seen;
        }
        long led = terms.keySet().stream().distinct().count();
        findings.measured(led + " terms were led");
    }

    /** A leader that is gone is replaced in time. */
    static void takeovers(Evidence evidence, Findings findings) {
        Duration closest = null;
        Duration itsBound = Duration.ZERO;
        for (FaultTry fault : evidence.tries()) {
            FaultTry.Bound bound = fault.effect().bound();
            if (bound == null || !fault.effect().bit()) {
                continue;
            }
            Duration took = fault.takeover(evidence.lines()).orElse(null);
            Instant at = fault.injected();
            if (took == null) {
                findings.add(Violation.Kind.SLOW, at, fault.kind().text() + ": nobody took over");
            } else if (took.compareTo(bound.time()) > 0) {
                findings.add(
                        Violation.Kind.SLOW,
                        at,
                        "%s: the takeover took %s, the bound is %s"
                                .formatted(
                                        fault.kind().text(), Findings.seconds(took), Findings.seconds(bound.time())));
            }
            if (took != null
                    && (closest == null
                            || took.toMillis() * itsBound.toMillis()
                                    > closest.toMillis() * bound.time().toMillis())) {
                closest = took;
                itsBound = bound.time();
            }
        }
        if (closest != null) {
            findings.measured(
                    "the takeover closest to its bound took %s of %s; the machine was %.1f times as slow as an idle one"
                            .formatted(
                                    Findings.seconds(closest),
                                    Findings.seconds(itsBound),
                                    evidence.pace()
                                            .stretch(
                                                    evidence.window().from(),
                                                    evidence.window().to())));
        }
    }
}
