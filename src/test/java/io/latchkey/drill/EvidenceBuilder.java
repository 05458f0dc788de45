package io.latchkey.drill;

import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A drill's evidence without a drill: every due fire run and recorded by instance "a", then doctored by the test. */
final class EvidenceBuilder {
    static final Limits LIMITS =
            new Limits(Duration.ofSeconds(3), Duration.ofMillis(500), Duration.ofSeconds(2), 3, Duration.ofSeconds(2));
    static final Instant FROM = Instant.parse("2026-11-29T12:00:00Z");
    static final Instant TO = FROM.plusSeconds(60);
    static final String SESSION_A = "0xa";
    static final String SESSION_B = "0xb";
    static final Owner A = new Owner("a", SESSION_A, 1, 101);
    static final Owner B = new Owner("b", SESSION_B, 2, 102);

    final List<RunLine> lines = new ArrayList<>();
    final List<Decision> decisions = new ArrayList<>();
    final List<Sightings.Incarnation> incarnations = new ArrayList<>();
    final List<Sightings.LeaderSeen> leaders = new ArrayList<>();
    final List<Sightings.ProcessLife> processes = new ArrayList<>();
    final List<FaultTry> tries = new ArrayList<>();
    final Map<String, Instant> since = new HashMap<>();

    /** All is well. */
    static EvidenceBuilder whole() {
        EvidenceBuilder whole = new EvidenceBuilder();
        for (DrillTrigger trigger : DrillJobs.always()) {
            if (trigger.name().equals("overlong")) {
                whole.overlong(trigger);
            } else {
                trigger.slots(FROM, TO).forEach(slot -> whole.fire(trigger, slot));
            }
        }
        whole.incarnations.add(new Sightings.Incarnation("a", SESSION_A, FROM.minusSeconds(9), TO.plusSeconds(9)));
        whole.incarnations.add(new Sightings.Incarnation("b", SESSION_B, FROM.minusSeconds(9), TO.plusSeconds(9)));
        whole.processes.add(new Sightings.ProcessLife("a", 1, FROM.minusSeconds(9), Instant.MAX));
        whole.processes.add(new Sightings.ProcessLife("b", 2, FROM.minusSeconds(9), Instant.MAX));
        return whole;
    }

    /** It runs every second slot, the other one is skipped for having waited. */
    private void overlong(DrillTrigger trigger) {
        List<Instant> slots = trigger.slots(FROM, TO);
        for (int i = 0; i + 1 < slots.size(); i += 2) {
            RunLine.Fire skipped = new RunLine.Fire(trigger.name(), slots.get(i), 1);
            Instant at = slots.get(i).plusMillis(2100);
            decisions.add(new Decision(skipped, Outcome.Kind.SKIPPED, at, 1, A, at, false));
            ran(trigger, slots.get(i + 1), 1, "a", 1);
        }
    }

    /** Its attempts, on time; those that have to fail do. */
    private void fire(DrillTrigger trigger, Instant slot) {
        int failing = trigger.job().failing();
        ran(trigger, slot, failing + 1, "a", 1);
        if (failing > 0) {
            Instant start = slot.plusMillis(2);
            start(trigger, slot, 1, "a", 1, start);
            end(trigger, slot, 1, "a", 1, start.plusMillis(1));
            decided(trigger, slot, 1, "a", Outcome.Kind.FAILED, start.plusMillis(1));
        }
    }

    /** A run of a trigger, on time. */
    final EvidenceBuilder ran(DrillTrigger trigger, Instant slot, int attempt, String instance, long term) {
        Instant start = slot.plusMillis(5);
        start(trigger, slot, attempt, instance, term, start);
        end(trigger, slot, attempt, instance, term, start.plus(trigger.job().work()));
        return decided(
                trigger,
                slot,
                attempt,
                instance,
                Outcome.Kind.SUCCEEDED,
                start.plus(trigger.job().work()));
    }

    final EvidenceBuilder start(
            DrillTrigger trigger, Instant slot, int attempt, String instance, long term, Instant at) {
        lines.add(line(RunLine.Phase.START, trigger, slot, attempt, instance, term, at, "-"));
        return this;
    }

    final EvidenceBuilder end(DrillTrigger trigger, Instant slot, int attempt, String instance, long term, Instant at) {
        lines.add(line(RunLine.Phase.END, trigger, slot, attempt, instance, term, at, "ok"));
        return this;
    }

    final EvidenceBuilder decided(
            DrillTrigger trigger, Instant slot, int attempt, String instance, Outcome.Kind kind, Instant at) {
        RunLine.Fire fire = new RunLine.Fire(trigger.name(), slot, attempt);
        decisions.add(new Decision(
                fire,
                kind,
                at,
                1,
                instance.equals("a") ? A : B,
                slot.plusMillis(2),
                kind == Outcome.Kind.RECOVERED || kind == Outcome.Kind.FAILED));
        return this;
    }

    private static RunLine line(
            RunLine.Phase phase,
            DrillTrigger trigger,
            Instant slot,
            int attempt,
            String instance,
            long term,
            Instant at,
            String note) {
        return new RunLine(
                phase,
                at,
                instance,
                instance.equals("a") ? 1 : 2,
                trigger.job().name(),
                new RunLine.Fire(trigger.name(), slot, attempt),
                term,
                100 + term,
                note);
    }

    /** All of one fire is forgotten. */
    final EvidenceBuilder forget(DrillTrigger trigger, Instant slot) {
        lines.removeIf(line -> is(line.fire(), trigger, slot));
        decisions.removeIf(decision -> is(decision.fire(), trigger, slot));
        return this;
    }

    private static boolean is(RunLine.Fire fire, DrillTrigger trigger, Instant slot) {
        return fire.trigger().equals(trigger.name()) && fire.slot().equals(slot);
    }

    /** The session of "a" was seen last then. */
    final EvidenceBuilder aDiedAt(Instant time) {
        incarnations.removeIf(seen -> seen.id().equals(SESSION_A));
        incarnations.add(new Sightings.Incarnation("a", SESSION_A, FROM.minusSeconds(9), time));
        processes.removeIf(life -> life.pid() == 1);
        processes.add(new Sightings.ProcessLife("a", 1, FROM.minusSeconds(9), time));
        return this;
    }

    final EvidenceBuilder fault(
            FaultKind kind, Instant at, List<FaultTry.Cut> cuts, List<FaultTry.HandDeletion> byHand, boolean takeover) {
        FaultTry.Bound bound =
                takeover ? new FaultTry.Bound(LIMITS.silentBound().plus(LIMITS.work()), true) : null;
        tries.add(new FaultTry(
                kind,
                "a",
                at,
                at.plusSeconds(5),
                at.plusSeconds(10),
                new FaultTry.Effect(true, "", cuts, byHand, bound)));
        return this;
    }

    final Evidence evidence() {
        Map<String, Instant> next = new HashMap<>();
        DrillJobs.always().forEach(trigger -> next.put(trigger.name(), TO));
        return new Evidence(
                LIMITS,
                new Evidence.Window(FROM, TO, next, since),
                lines,
                decisions,
                new Sightings(incarnations, leaders, processes),
                tries,
                Pace.Measured.NOTHING);
    }

    final List<Violation> violations() {
        return Checks.judge(evidence()).violations();
    }

    static DrillTrigger trigger(String name) {
        DrillTrigger trigger = DrillJobs.byName().get(name);
        if (trigger == null) {
            throw new IllegalArgumentException(name);
        }
        return trigger;
    }
}
