package io.latchkey.drill;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All that a drill left to judge by; immutable. */
final class Evidence {
    private final Limits limits;
    private final Window window;
    private final List<RunLine> lines;
    private final List<Decision> decisions;
    private final Sightings sightings;
    private final List<FaultTry> tries;
    private final Pace.Measured pace;
    private final List<Run> runs;
    private final Map<RunLine.Fire, Decision> decisionOf = new HashMap<>();

    /**
     * What had to be accounted for.
     *
     * @param from slots from here on
     * @param to and before this
     * @param nextAtEnd by trigger, how far its cursor had come when the drill ended
     * @param since by trigger, where accounting begins if that is later than {@code from}
     */
    record Window(Instant from, Instant to, Map<String, Instant> nextAtEnd, Map<String, Instant> since) {
        Window {
            nextAtEnd = Map.copyOf(nextAtEnd);
            since = Map.copyOf(since);
        }
    }

    /**
     * A start with the end that belongs to it.
     *
     * @param end null if the job did not come to write it
     */
    record Run(RunLine start, @Nullable RunLine end) {}

    /**
     * All of it.
     *
     * @param decisions in any order; ones seen twice are taken once
     */
    Evidence(
            Limits limits,
            Window window,
            List<RunLine> lines,
            List<Decision> decisions,
            Sightings sightings,
            List<FaultTry> tries,
            Pace.Measured pace) {
        this.limits = limits;
        this.window = window;
        this.lines = lines.stream().sorted(Comparator.comparing(RunLine::at)).toList();
        this.decisions = decisions.stream()
                .distinct()
                .sorted(Comparator.comparing(Decision::fire))
                .toList();
        this.sightings = sightings;
        this.tries = List.copyOf(tries);
        this.pace = pace;
        this.runs = pair(this.lines);
        this.decisions.forEach(decision -> decisionOf.put(decision.fire(), decision));
    }

    private static List<Run> pair(List<RunLine> lines) {
        // One process starts an attempt once, or the check for doubles says so; then an end is given to the first.
        record Key(RunLine.Fire fire, long pid) {}
        Map<Key, List<RunLine>> ends = new HashMap<>();
        lines.stream()
                .filter(line -> !line.isStart())
                .forEach(line -> ends.computeIfAbsent(new Key(line.fire(), line.pid()), key -> new ArrayList<>())
                        .add(line));
        List<Run> runs = new ArrayList<>();
        for (RunLine line : lines) {
            if (line.isStart()) {
                List<RunLine> found = ends.getOrDefault(new Key(line.fire(), line.pid()), List.of());
                runs.add(new Run(line, found.isEmpty() ? null : found.remove(0)));
            }
        }
        return List.copyOf(runs);
    }

    Limits limits() {
        return limits;
    }

    Window window() {
        return window;
    }

    /** The run log by time. */
    List<RunLine> lines() {
        return lines;
    }

    /** The runs by time of their start. */
    List<Run> runs() {
        return runs;
    }

    /** What the ledger decided, by slot, trigger and attempt. */
    List<Decision> decisions() {
        return decisions;
    }

    /** What the ledger says of one attempt. */
    Optional<Decision> decision(RunLine.Fire fire) {
        return Optional.ofNullable(decisionOf.get(fire));
    }

    Sightings sightings() {
        return sightings;
    }

    List<FaultTry> tries() {
        return tries;
    }

    /** How slow the machine was. */
    Pace.Measured pace() {
        return pace;
    }

    List<FaultTry.HandDeletion> byHand() {
        return tries.stream().flatMap(t -> t.effect().byHand().stream()).toList();
    }

    List<FaultTry.Cut> cuts() {
        return tries.stream().flatMap(t -> t.effect().cuts().stream()).toList();
    }

    /** The fault under which something happened: the one that was on, else the last before. */
    Optional<FaultTry> faultAt(Instant time) {
        return tries.stream().filter(t -> !t.injected().isAfter(time)).reduce((earlier, later) -> later);
    }

    /** The session under which an attempt was held: as the ledger has it, else by who ran it when. */
    Optional<Sightings.Incarnation> incarnationOf(RunLine start) {
        return decision(start.fire())
                .filter(decision -> decision.instance().equals(start.instance()))
                .flatMap(decision -> sightings.incarnation(decision.incarnation()))
                .or(() -> sightings.incarnationOf(start.instance(), start.at()));
    }

    /** When a run was over: its end line, or its process's end; far in the future if neither came. */
    Instant endOf(Run run) {
        RunLine end = run.end();
        if (end != null) {
            return end.at();
        }
        return sightings
                .process(run.start().pid(), run.start().at())
                .map(Sightings.ProcessLife::ended)
                .orElse(Instant.MAX);
    }

    /** How long after the evidence ends; for messages. */
    Duration length() {
        return Duration.between(window.from(), window.to());
    }
}
