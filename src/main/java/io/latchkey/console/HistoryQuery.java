package io.latchkey.console;

import io.latchkey.console.Problem.ProblemException;
import io.latchkey.ledger.Outcome;
import io.latchkey.view.LedgerView;
import io.latchkey.view.OutcomeView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which outcomes are asked for, and which page of them; the newest first. */
record HistoryQuery(
        Optional<String> job,
        Optional<Outcome.Kind> kind,
        Optional<String> instance,
        Optional<Instant> from,
        Optional<Instant> to,
        int offset,
        int limit) {
    private static final int LIMIT = 100;
    private static final int MAX_LIMIT = 1000;
    private static final int MAX_OFFSET = 10_000_000;

    /** One page. */
    record Page(int total, int offset, int limit, List<OutcomeView> outcomes) {}

    static HistoryQuery of(Call call) throws ProblemException {
        call.only(Set.of("job", "kind", "instance", "from", "to", "offset", "limit"));
        return new HistoryQuery(
                call.parameter("job"),
                call.oneOf("kind", Outcome.Kind.class),
                call.parameter("instance"),
                call.instant("from"),
                call.instant("to"),
                call.number("offset", 0, 0, MAX_OFFSET),
                call.number("limit", LIMIT, 1, MAX_LIMIT));
    }

    Page of(LedgerView ledger) {
        List<OutcomeView> found =
                ledger.outcomes().stream().filter(this::matches).toList();
        return new Page(found.size(), offset, limit, Answers.page(found, offset, limit));
    }

    private boolean matches(OutcomeView outcome) {
        return (job.isEmpty() || outcome.job().equals(job.get()))
                && (kind.isEmpty() || outcome.kind() == kind.get())
                && (instance.isEmpty() || outcome.instance().equals(instance.get()))
                && (from.isEmpty() || !outcome.at().isBefore(from.get()))
                && (to.isEmpty() || outcome.at().isBefore(to.get()));
    }
}
