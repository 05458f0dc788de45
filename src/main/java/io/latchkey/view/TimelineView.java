package io.latchkey.view;

import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.PastTerm;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What happened in a span of time, for a picture of it.
 *
 * @param from its beginning
 * @param to its end
 * @param truncated whether the oldest marks are left out, there being too many
 * @param leadership the terms that reach into it, the oldest first
 * @param lanes each job to which something happened, by name
 */
public record TimelineView(Instant from, Instant to, boolean truncated, List<Term> leadership, List<Lane> lanes) {

    /**
     * A term.
     *
     * @param term its number
     * @param instance who led
     * @param since when it was taken
     * @param until when it ended, or was last known to go on where its leader could not say (to within ten seconds); null
     *     while it goes on
     */
    public record Term(
            long term,
            String instance,
            Instant since,
            @Nullable Instant until) {}

    /**
     * A job's.
     *
     * @param job its name
     * @param marks what happened to it, the oldest first
     */
    public record Lane(String job, List<Mark> marks) {}

    /**
     * A run, or slots that were skipped.
     *
     * @param from when the run began, or the oldest slot that was skipped
     * @param to when it ended, or the latest; null while it runs
     * @param kind how it ended; null while it has not
     * @param fire its id
     * @param slot when it was due
     * @param instance who ran or decided it
     * @param term the term it was claimed in
     * @param attempt which attempt, from 1
     * @param slots how many slots it stands for
     * @param catchUp whether it ran late because nobody led when it was due
     */
    public record Mark(
            Instant from,
            @Nullable Instant to,
            Outcome.@Nullable Kind kind,
            String fire,
            Instant slot,
            String instance,
            long term,
            int attempt,
            long slots,
            boolean catchUp) {
        static Mark of(OutcomeView outcome) {
            Instant from = switch (outcome.kind()) {
                case SKIPPED -> outcome.firstSlot() == null ? outcome.slot() : outcome.firstSlot();
                case ABANDONED, RECOVERED -> outcome.claimed();
                case SUCCEEDED, FAILED, INTERRUPTED -> outcome.at().minusMillis(outcome.ranMillis());
            };
            return new Mark(
                    from,
                    outcome.kind() == Outcome.Kind.SKIPPED ? outcome.slot() : outcome.at(),
                    outcome.kind(),
                    outcome.fire(),
                    outcome.slot(),
                    outcome.instance(),
                    outcome.term(),
                    outcome.attempt(),
                    outcome.slots(),
                    outcome.catchUp());
        }

        static Mark of(FireView fire) {
            return new Mark(
                    fire.since(),
                    null,
                    null,
                    fire.fire(),
                    fire.slot(),
                    fire.instance(),
                    fire.term(),
                    fire.attempt(),
                    1,
                    false);
        }
    }

    private record Found(String job, Mark mark) {}

    /**
     * What the ledger tells of a span.
     *
     * @param asOf when the ledger was read
     * @param which the jobs to tell of
     * @param limit marks at most; the newest are kept
     */
    public static TimelineView of(
            LedgerView ledger, Instant asOf, Instant from, Instant to, Predicate<String> which, int limit) {
        List<Found> found = new ArrayList<>();
        ledger.outcomes().stream()
                .filter(outcome -> which.test(outcome.job()))
                .map(outcome -> new Found(outcome.job(), Mark.of(outcome)))
                .forEach(found::add);
        ledger.running().stream()
                .filter(fire -> which.test(fire.job()))
                .map(fire -> new Found(fire.job(), Mark.of(fire)))
                .forEach(found::add);
        found.removeIf(one -> !one.mark().from().isBefore(to)
                || (one.mark().to() != null && one.mark().to().isBefore(from)));
        found.sort(Comparator.comparing(one -> one.mark().from()));
        List<Found> kept = found.subList(Math.max(0, found.size() - limit), found.size());
        Map<String, List<Mark>> lanes = new TreeMap<>();
        kept.forEach(one ->
                lanes.computeIfAbsent(one.job(), job -> new ArrayList<>()).add(one.mark()));
        return new TimelineView(
                from,
                to,
                kept.size() < found.size(),
                leadership(ledger.terms(), asOf, from, to),
                lanes.entrySet().stream()
                        .map(lane -> new Lane(lane.getKey(), lane.getValue()))
                        .toList());
    }

    static List<Term> leadership(List<PastTerm> terms, Instant asOf, Instant from, Instant to) {
        List<Term> out = new ArrayList<>();
        for (int i = 0; i < terms.size(); i++) {
            PastTerm term = terms.get(i);
            Instant until = until(term, i + 1 < terms.size() ? terms.get(i + 1).since() : null, asOf);
            if (term.since().isBefore(to) && (until == null || until.isAfter(from))) {
                out.add(new Term(term.number(), term.instance(), term.since(), until));
            }
        }
        return out;
    }

    /** A time without a leader must show, and none must show where there is only no news yet. */
    private static @Nullable Instant until(PastTerm term, @Nullable Instant next, Instant asOf) {
        if (term.ended() != null) {
            return next != null && next.isBefore(term.ended()) ? next : term.ended();
        }
        Instant alive = term.alive();
        Instant known = next == null ? asOf : next;
        return alive != null && alive.plus(PastTerm.RESOLUTION).isBefore(known) ? alive : next;
    }
}
