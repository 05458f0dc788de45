package io.latchkey.drill;

import io.latchkey.ledger.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What started, and whether it was allowed to. */
final class StartChecks {
    /** A start is logged a moment after it was decided, on a machine that is busy. */
    static final Duration LOGGING = Duration.ofMillis(300);

    private StartChecks() {}

    /** No attempt starts twice; only what is due runs, and not before it is. */
    static void doubles(Evidence evidence, Findings findings) {
        Map<String, DrillTrigger> triggers = DrillJobs.byName();
        Map<RunLine.Fire, RunLine> seen = new HashMap<>();
        for (Evidence.Run run : evidence.runs()) {
            RunLine start = run.start();
            RunLine before = seen.putIfAbsent(start.fire(), start);
            if (before != null) {
                findings.add(
                        Violation.Kind.DUPLICATE,
                        start.at(),
                        "%s started twice: by %s in term %d at %s, and by %s in term %d at %s"
                                .formatted(
                                        start.fire(),
                                        before.instance(),
                                        before.term(),
                                        before.at(),
                                        start.instance(),
                                        start.term(),
                                        start.at()));
            }
            DrillTrigger trigger = triggers.get(start.fire().trigger());
            if (trigger == null
                    || !trigger.isSlot(start.fire().slot())
                    || start.at().isBefore(start.fire().slot())) {
                findings.add(
                        Violation.Kind.DUPLICATE,
                        start.at(),
                        "%s was run by %s at %s, but is not due then"
                                .formatted(start.fire(), start.instance(), start.at()));
            }
        }
    }

    /** A later attempt only starts when the one before has lost its owner, or has ended and is tried again. */
    static void recoveries(Evidence evidence, Findings findings) {
        Map<RunLine.Fire, RunLine> starts = new HashMap<>();
        evidence.runs().forEach(run -> starts.put(run.start().fire(), run.start()));
        int recoveries = 0;
        int retries = 0;
        for (Evidence.Run run : evidence.runs()) {
            RunLine start = run.start();
            RunLine.Fire fire = start.fire();
            if (fire.attempt() == 1) {
                continue;
            }
            RunLine.Fire earlier = new RunLine.Fire(fire.trigger(), fire.slot(), fire.attempt() - 1);
            Decision ended = evidence.decision(earlier)
                    .filter(decision -> decision.kind() != Outcome.Kind.RECOVERED)
                    .orElse(null);
            if (ended != null) {
                retries++;
                if (!ended.again() || ended.at().isAfter(start.at())) {
                    findings.add(
                            Violation.Kind.RECOVERY,
                            start.at(),
                            "%s was started by %s at %s, but the attempt before is %s since %s%s"
                                    .formatted(
                                            fire,
                                            start.instance(),
                                            start.at(),
                                            ended.kind(),
                                            ended.at(),
                                            ended.again() ? "" : ", and that was its outcome"));
                }
                continue;
            }
            recoveries++;
            Optional<Sightings.Incarnation> owner = evidence.decision(earlier)
                    .filter(decision -> decision.kind() == Outcome.Kind.RECOVERED)
                    .flatMap(decision -> evidence.sightings().incarnation(decision.incarnation()))
                    .or(() -> Optional.ofNullable(starts.get(earlier)).flatMap(evidence::incarnationOf));
            owner.filter(o -> o.lastSeen().isAfter(start.at()))
                    .ifPresent(o -> findings.add(
                            Violation.Kind.RECOVERY,
                            start.at(),
                            "%s was started by %s at %s, but %s, who had it, lived (session %s, seen at %s)"
                                    .formatted(
                                            fire, start.instance(), start.at(), o.instance(), o.id(), o.lastSeen())));
        }
        findings.measured(recoveries + " runs were later attempts at a fire whose owner had died, " + retries
                + " at one that had failed or was interrupted");
    }

    /** Nothing is started under an older token than another instance's, unless it was claimed before that. */
    static void tokens(Evidence evidence, Findings findings) {
        RunLine highest = null;
        int late = 0;
        for (Evidence.Run run : evidence.runs()) {
            RunLine start = run.start();
            if (highest == null || start.token() > highest.token()) {
                highest = start;
                continue;
            }
            if (start.token() == highest.token() || start.instance().equals(highest.instance())) {
                continue;
            }
            Instant seen = highest.at();
            boolean claimedBefore = evidence.decision(start.fire())
                    .filter(decision -> decision.claimed().isBefore(seen))
                    .isPresent();
            if (claimedBefore) {
                late++;
                continue;
            }
            findings.add(
                    Violation.Kind.TOKEN,
                    start.at(),
                    "%s started by %s with token %d at %s, after %s had started with token %d at %s"
                            .formatted(
                                    start.fire(),
                                    start.instance(),
                                    start.token(),
                                    start.at(),
                                    highest.instance(),
                                    highest.token(),
                                    seen));
        }
        if (late > 0) {
            findings.measured(late + " runs began under an older token than one seen by then, claimed before that one");
        }
    }

    /** Who is cut off starts nothing once its lease is over. */
    static void cuts(Evidence evidence, Findings findings) {
        for (FaultTry.Cut cut : evidence.cuts()) {
            if (cut.how() == FaultTry.Cut.How.SESSION_ENDED) {
                continue;
            }
            Duration logging = evidence.pace().allow(LOGGING, cut.from(), cut.to());
            Instant from = cut.how() == FaultTry.Cut.How.FROZEN
                    ? cut.from().plus(logging)
                    : cut.from().plus(evidence.limits().lease()).plus(logging);
            List<RunLine> starts = evidence.runs().stream()
                    .map(Evidence.Run::start)
                    .filter(start -> start.instance().equals(cut.instance()))
                    .filter(start -> start.at().isAfter(from) && start.at().isBefore(cut.to()))
                    .toList();
            for (RunLine start : starts) {
                findings.add(
                        Violation.Kind.CUT,
                        start.at(),
                        "%s started by %s, %s after it was cut off"
                                .formatted(
                                        start.fire(),
                                        start.instance(),
                                        Findings.seconds(Duration.between(cut.from(), start.at()))));
            }
        }
    }
}
