package io.latchkey.console;

import io.latchkey.console.Problem.ProblemException;
import io.latchkey.ledger.Outcome;
import io.latchkey.view.JobEntry;
import io.latchkey.view.JobsView;
import io.latchkey.view.LedgerView;
import io.latchkey.view.OutcomeView;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which jobs are asked for, and which page of them.
 *
 * @param text in the name, in any case; empty for all
 * @param job its whole name as commands take it
 * @param state how it stands
 * @param sort what the page is ordered by
 * @param offset how many to pass over
 * @param limit how many at most
 */
record JobsQuery(String text, Optional<String> job, Optional<State> state, Sort sort, int offset, int limit) {
    static final int LIMIT = 50;
    static final int MAX_LIMIT = 500;
    private static final int MAX_OFFSET = 1_000_000;

    /** How a job stands. */
    enum State {
        RUNNING,
        PAUSED,
        FAILING,
        ORPHANED
    }

    /** What they are ordered by. */
    enum Sort {
        NAME,
        NEXT,
        LAST
    }

    /** One page. */
    record Page(boolean allPaused, int total, int offset, int limit, List<JobEntry> jobs) {}

    static JobsQuery of(Call call) throws ProblemException {
        call.only(Set.of("q", "job", "state", "sort", "offset", "limit"));
        return new JobsQuery(
                call.parameter("q").orElse("").toLowerCase(Locale.ROOT),
                call.parameter("job"),
                call.oneOf("state", State.class),
                call.oneOf("sort", Sort.class).orElse(Sort.NAME),
                call.number("offset", 0, 0, MAX_OFFSET),
                call.number("limit", LIMIT, 1, MAX_LIMIT));
    }

    Page of(LedgerView ledger) {
        Stream<JobsView.Job> all = ledger.jobs().stream()
                .filter(one ->
                        text.isEmpty() || one.job().toLowerCase(Locale.ROOT).contains(text))
                .filter(one -> job.isEmpty() || one.job().equals(job.get()))
                .filter(one -> state.isEmpty() || is(one, state.get()));
        List<JobsView.Job> found = switch (sort) {
            case NAME -> all.toList();
            case NEXT ->
                all.sorted(Comparator.comparing(
                                JobsQuery::next, Comparator.nullsLast(Comparator.<Instant>naturalOrder())))
                        .toList();
            case LAST ->
                all.sorted(Comparator.comparing(
                                JobsQuery::last, Comparator.nullsLast(Comparator.<Instant>reverseOrder())))
                        .toList();
        };
        return new Page(
                ledger.allPaused(),
                found.size(),
                offset,
                limit,
                Answers.page(found, offset, limit).stream().map(ledger::entry).toList());
    }

    private static boolean is(JobsView.Job one, State state) {
        OutcomeView last = one.last();
        return switch (state) {
            case RUNNING -> !one.running().isEmpty();
            case PAUSED -> one.paused() || one.triggers().stream().anyMatch(JobsView.Trigger::paused);
            case FAILING ->
                last != null
                        && (last.kind() == Outcome.Kind.FAILED
                                || last.kind() == Outcome.Kind.ABANDONED
                                || last.kind() == Outcome.Kind.INTERRUPTED);
            case ORPHANED -> one.triggers().stream().anyMatch(trigger -> trigger.orphanedSince() != null);
        };
    }

    /** When it fires next; a trigger that is paused or has left the configuration does not. */
    private static @org.jspecify.annotations.Nullable Instant next(JobsView.Job one) {
        return one.triggers().stream()
                .filter(trigger -> trigger.next() != null && !trigger.paused() && trigger.orphanedSince() == null)
                .map(JobsView.Trigger::next)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    private static @org.jspecify.annotations.Nullable Instant last(JobsView.Job one) {
        OutcomeView last = one.last();
        return last == null ? null : last.at();
    }
}
