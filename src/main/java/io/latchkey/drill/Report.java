package io.latchkey.drill;

import io.latchkey.ledger.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a drill showed.
 *
 * @param seed it was drawn from
 * @param rows by kind of fault
 * @param violations all of them, by time
 * @param measured what is allowed, in numbers
 * @param evidence it was judged from
 */
record Report(long seed, List<Row> rows, List<Violation> violations, List<String> measured, Evidence evidence) {
    private static final int SHOWN = 25;

    /**
     * One kind of fault.
     *
     * @param tries those that had an effect
     * @param duplicates fires doubled under it
     * @param lost fires lost under it
     * @param abandoned fires abandoned under it, as is right for those in flight
     * @param other violations of other promises under it
     * @param takeovers how long each took, in order
     */
    record Row(
            FaultKind kind,
            long tries,
            long duplicates,
            long lost,
            long abandoned,
            long other,
            List<Duration> takeovers) {}

    static Report of(long seed, List<FaultKind> kinds, Evidence evidence, List<Violation> incidents) {
        Findings findings = Checks.judge(evidence);
        List<Violation> violations = new ArrayList<>(findings.violations());
        violations.addAll(incidents);
        for (FaultKind kind : kinds) {
            if (evidence.tries().stream()
                    .noneMatch(t -> t.kind() == kind && t.effect().bit())) {
                violations.add(new Violation(
                        Violation.Kind.DRILL, evidence.window().to(), "\"" + kind.text() + "\" never had an effect"));
            }
        }
        violations.sort(Comparator.comparing(Violation::at));
        List<Row> rows =
                kinds.stream().map(kind -> row(kind, evidence, violations)).toList();
        List<String> measured = new ArrayList<>(findings.measured());
        measured.add(outcomes(evidence));
        return new Report(seed, rows, List.copyOf(violations), measured, evidence);
    }

    private static Row row(FaultKind kind, Evidence evidence, List<Violation> violations) {
        List<FaultTry> tries = evidence.tries().stream()
                .filter(t -> t.kind() == kind && t.effect().bit())
                .toList();
        List<Violation> own =
                violations.stream().filter(v -> under(kind, evidence, v.at())).toList();
        long abandoned = evidence.decisions().stream()
                .filter(d -> d.kind() == Outcome.Kind.ABANDONED && under(kind, evidence, d.at()))
                .count();
        return new Row(
                kind,
                tries.size(),
                count(own, Violation.Kind.DUPLICATE),
                count(own, Violation.Kind.LOST),
                abandoned,
                own.size() - count(own, Violation.Kind.DUPLICATE) - count(own, Violation.Kind.LOST),
                tries.stream()
                        .flatMap(t -> t.takeover(evidence.lines()).stream())
                        .sorted()
                        .toList());
    }

    private static boolean under(FaultKind kind, Evidence evidence, Instant at) {
        return evidence.faultAt(at).filter(t -> t.kind() == kind).isPresent();
    }

    private static long count(List<Violation> violations, Violation.Kind kind) {
        return violations.stream().filter(v -> v.kind() == kind).count();
    }

    private static String outcomes(Evidence evidence) {
        Map<Outcome.Kind, Long> counts = new TreeMap<>();
        evidence.decisions().forEach(d -> counts.merge(d.kind(), d.count(), Long::sum));
        List<String> each = new ArrayList<>();
        counts.forEach((kind, count) -> each.add(count + " " + kind));
        return evidence.runs().size() + " runs; outcomes: " + String.join(", ", each);
    }

    /** Whether every promise held. */
    boolean holds() {
        return violations.isEmpty();
    }

    /** In one sentence. */
    String verdict() {
        return holds()
                ? "Every promise held."
                : "%d violations: %s"
                        .formatted(
                                violations.size(),
                                violations.stream()
                                        .map(Violation::kind)
                                        .distinct()
                                        .sorted()
                                        .toList());
    }

    String text() {
        StringBuilder text = new StringBuilder(4096);
        text.append(String.format(
                Locale.ROOT,
                "%n%-34s %5s %10s %5s %9s %6s %10s %10s%n",
                "fault",
                "tries",
                "duplicates",
                "lost",
                "abandoned",
                "other",
                "takeover",
                "worst"));
        for (Row row : rows) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-34s %5d %10d %5d %9d %6d %10s %10s%n",
                    row.kind().text(),
                    row.tries(),
                    row.duplicates(),
                    row.lost(),
                    row.abandoned(),
                    row.other(),
                    median(row.takeovers()),
                    worst(row.takeovers())));
        }
        text.append('\n');
        measured.forEach(line -> text.append(line).append('\n'));
        violations.stream()
                .limit(SHOWN)
                .forEach(v -> text.append(v.kind())
                        .append(' ')
                        .append(v.text())
                        .append(" [")
                        .append(underWhat(v))
                        .append("]\n"));
        if (violations.size() > SHOWN) {
            text.append("and ").append(violations.size() - SHOWN).append(" more\n");
        }
        return text.append(verdict()).append(" Seed ").append(seed).append('.').toString();
    }

    /** The fault under which it happened, for people. */
    String underWhat(Violation violation) {
        Optional<FaultTry> fault = evidence.faultAt(violation.at());
        return fault.map(t -> t.kind().text() + ", " + t.target() + ", "
                        + Findings.seconds(Duration.between(t.injected(), violation.at())) + " in")
                .orElse("before the first fault");
    }

    static String median(List<Duration> sorted) {
        return sorted.isEmpty() ? "-" : Findings.seconds(sorted.get(sorted.size() / 2));
    }

    static String worst(List<Duration> sorted) {
        return sorted.isEmpty() ? "-" : Findings.seconds(sorted.get(sorted.size() - 1));
    }
}
