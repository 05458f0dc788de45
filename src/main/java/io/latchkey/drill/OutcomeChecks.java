package io.latchkey.drill;

import io.latchkey.jobs.Misfire;
import io.latchkey.ledger.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What became of what was due. */
final class OutcomeChecks {
    /** Instants in the ledger and the run log are cut to different lengths. */
    private static final Duration ROUNDING = Duration.ofMillis(50);

    private OutcomeChecks() {}

    /** Every due slot has one outcome. */
    static void accounted(Evidence evidence, Findings findings) {
        Map<String, Map<Instant, List<Decision>>> covered = covered(evidence);
        int accounted = 0;
        for (DrillTrigger trigger : DrillJobs.byName().values()) {
            Map<Instant, List<Decision>> outcomes = covered.getOrDefault(trigger.name(), Map.of());
            for (Instant slot : due(evidence, trigger)) {
                List<Decision> all = outcomes.getOrDefault(slot, List.of());
                if (all.isEmpty() && !isLostByHand(evidence, trigger, slot)) {
                    findings.add(
                            Violation.Kind.LOST, slot, trigger.name() + "@" + slot + " was due and has no outcome");
                }
                accounted++;
            }
            outcomes.forEach((slot, all) -> {
                if (all.size() > 1) {
                    findings.add(
                            Violation.Kind.DUPLICATE,
                            all.get(1).at(),
                            trigger.name() + "@" + slot + " has " + all.size() + " outcomes: "
                                    + all.stream().map(OutcomeChecks::text).toList());
                }
            });
        }
        findings.measured(accounted + " fires were due in " + Findings.seconds(evidence.length()));
    }

    private static List<Instant> due(Evidence evidence, DrillTrigger trigger) {
        Evidence.Window window = evidence.window();
        Instant from = window.since().getOrDefault(trigger.name(), window.from());
        if (DrillJobs.always().contains(trigger)) {
            return trigger.slots(from, window.to());
        }
        // Not in every version of the configuration: due up to where its cursor has come.
        Instant next = window.nextAtEnd().get(trigger.name());
        Instant to = next == null || next.isAfter(window.to()) ? window.to() : next;
        return next == null || !window.since().containsKey(trigger.name()) ? List.of() : trigger.slots(from, to);
    }

    private static Map<String, Map<Instant, List<Decision>>> covered(Evidence evidence) {
        Map<String, DrillTrigger> triggers = DrillJobs.byName();
        Map<String, Map<Instant, List<Decision>>> covered = new HashMap<>();
        for (Decision decision : evidence.decisions()) {
            DrillTrigger trigger = triggers.get(decision.fire().trigger());
            if (trigger == null || decision.again()) {
                continue;
            }
            Map<Instant, List<Decision>> outcomes = covered.computeIfAbsent(trigger.name(), name -> new TreeMap<>());
            long count = decision.kind() == Outcome.Kind.SKIPPED ? decision.count() : 1;
            Instant slot = decision.fire().slot();
            for (long i = 0; i < count; i++) {
                outcomes.computeIfAbsent(slot, s -> new ArrayList<>()).add(decision);
                slot = slot.minusSeconds(trigger.every());
            }
        }
        return covered;
    }

    /** Whether the record of that fire was deleted by hand: what became of it, nobody knows. */
    private static boolean isLostByHand(Evidence evidence, DrillTrigger trigger, Instant slot) {
        return evidence.byHand().stream()
                .anyMatch(hand -> hand.trigger().equals(trigger.name()) && slot.equals(hand.slot()));
    }

    /** Whether the trigger's cursor was deleted by hand when that slot waited: it goes on from the present. */
    private static boolean isDroppedByHand(Evidence evidence, DrillTrigger trigger, Instant slot) {
        return evidence.byHand().stream()
                .filter(hand -> hand.trigger().equals(trigger.name()) && hand.slot() == null)
                .anyMatch(hand -> slot.isAfter(hand.at()
                                .minus(evidence.limits().misfireThreshold())
                                .minusSeconds(trigger.every()))
                        && slot.isBefore(hand.until().plusSeconds(trigger.every())));
    }

    /** What was run has an outcome that fits, and what has the outcome of a run was run. */
    static void matching(Evidence evidence, Findings findings) {
        Set<RunLine.Fire> started = new HashSet<>();
        for (Evidence.Run run : evidence.runs()) {
            RunLine start = run.start();
            started.add(start.fire());
            if (start.fire().slot().isBefore(evidence.window().to())
                    && evidence.decision(start.fire()).isEmpty()
                    && DrillJobs.byName().containsKey(start.fire().trigger())
                    && !isLostByHand(
                            evidence,
                            DrillJobs.byName().get(start.fire().trigger()),
                            start.fire().slot())) {
                findings.add(Violation.Kind.LOST, start.at(), start.fire() + " was started and has no outcome");
            }
        }
        for (Decision decision : evidence.decisions()) {
            boolean ran = decision.kind() == Outcome.Kind.SUCCEEDED || decision.kind() == Outcome.Kind.INTERRUPTED;
            if (ran && !started.contains(decision.fire())) {
                findings.add(
                        Violation.Kind.LOST,
                        decision.at(),
                        decision.fire() + " is " + decision.kind() + " in the ledger, but never ran");
            }
            if (decision.kind() == Outcome.Kind.SKIPPED && started.contains(decision.fire())) {
                findings.add(
                        Violation.Kind.DUPLICATE,
                        decision.at(),
                        decision.fire() + " is SKIPPED in the ledger, but ran");
            }
        }
    }

    /** Skipped only as the instruction says; abandoned only what was in flight when its owner died. */
    static void explained(Evidence evidence, Findings findings) {
        Map<RunLine.Fire, RunLine> ends = new HashMap<>();
        evidence.lines().stream().filter(line -> !line.isStart()).forEach(line -> ends.put(line.fire(), line));
        for (Decision decision : evidence.decisions()) {
            DrillTrigger trigger = DrillJobs.byName().get(decision.fire().trigger());
            if (trigger == null) {
                continue;
            }
            switch (decision.kind()) {
                case SKIPPED -> skipped(evidence, trigger, decision, findings);
                case ABANDONED -> abandoned(evidence, trigger, decision, ends, findings);
                case FAILED -> failed(trigger, decision, findings);
                default -> {
                    // Nothing to explain.
                }
            }
        }
    }

    private static void failed(DrillTrigger trigger, Decision decision, Findings findings) {
        boolean fails = trigger.job().failing() >= decision.fire().attempt();
        if (!fails || !decision.again()) {
            findings.add(
                    Violation.Kind.UNEXPLAINED,
                    decision.at(),
                    decision.fire() + " FAILED, though "
                            + (fails ? "its job is to be tried again" : "its job does not fail at that attempt"));
        }
    }

    private static void skipped(Evidence evidence, DrillTrigger trigger, Decision decision, Findings findings) {
        if (isDroppedByHand(evidence, trigger, decision.fire().slot())) {
            return;
        }
        Instant oldest = decision.fire().slot().minusSeconds(trigger.every() * (decision.count() - 1));
        Duration waited = Duration.between(oldest, decision.at());
        if (trigger.misfire() == Misfire.ALL
                || waited.plus(ROUNDING).compareTo(evidence.limits().misfireThreshold()) < 0) {
            findings.add(
                    Violation.Kind.UNEXPLAINED,
                    decision.at(),
                    "%s (%d slots, waiting for %s) is SKIPPED, though its instruction is %s"
                            .formatted(decision.fire(), decision.count(), Findings.seconds(waited), trigger.misfire()));
        }
        Instant following = decision.fire().slot().plusSeconds(trigger.every());
        if (trigger.misfire() == Misfire.ONCE && following.isAfter(decision.at().plus(ROUNDING))) {
            findings.add(
                    Violation.Kind.UNEXPLAINED,
                    decision.at(),
                    decision.fire()
                            + " is SKIPPED, though it was the latest slot, which has to run for those before it");
        }
    }

    private static void abandoned(
            Evidence evidence,
            DrillTrigger trigger,
            Decision decision,
            Map<RunLine.Fire, RunLine> ends,
            Findings findings) {
        String what = decision.fire() + ", held by " + decision.instance() + ", is ABANDONED, though ";
        if (trigger.job().recover()
                && decision.fire().attempt() < evidence.limits().maxAttempts()) {
            findings.add(Violation.Kind.UNEXPLAINED, decision.at(), what + "its job asks for recovery");
        }
        if (evidence.sightings().livedAfter(decision.incarnation(), decision.at())) {
            findings.add(Violation.Kind.UNEXPLAINED, decision.at(), what + "its owner lived");
        }
        RunLine end = ends.get(decision.fire());
        Duration unwritten = evidence.limits().silentBound();
        if (end != null
                && evidence.sightings()
                        .livedAfter(decision.incarnation(), end.at().plus(unwritten))) {
            findings.add(
                    Violation.Kind.UNEXPLAINED,
                    decision.at(),
                    what + "it had ended at " + end.at() + ", long before its owner died");
        }
    }

    private static String text(Decision decision) {
        return decision.kind() + " (attempt " + decision.fire().attempt() + ", " + decision.instance() + ", "
                + decision.at() + ")";
    }
}
