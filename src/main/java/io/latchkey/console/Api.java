package io.latchkey.console;

import io.latchkey.console.Problem.ProblemException;
import io.latchkey.view.ActionView;
import io.latchkey.view.ClusterView;
import io.latchkey.view.FireView;
import io.latchkey.view.LedgerView;
import io.latchkey.view.RequestView;
import io.latchkey.view.TimelineView;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** What can be read under {@code /api/v1}. Every field is in {@code openapi.json}, which the tests hold it to. */
final class Api {
    private static final int MAX_RUNNING = 1000;
    private static final int MARKS = 2000;
    private static final int MAX_MARKS = 10_000;
    private static final Duration SPAN = Duration.ofHours(1);

    private final Self self;
    private final Snapshots snapshots;
    private final boolean mayAct;

    /** @param mayAct whether anybody may act here */
    Api(Self self, Snapshots snapshots, boolean mayAct) {
        this.self = self;
        this.snapshots = snapshots;
        this.mayAct = mayAct;
    }

    /** The fields of /api/v1/cluster. */
    record Cluster(String answeredBy, boolean actions, ClusterView cluster) {}

    /** The fields of /api/v1/instances. */
    record Instances(List<ClusterView.Instance> instances) {}

    /** The fields of /api/v1/running. */
    record Running(int total, int offset, int limit, List<FireView> running) {}

    /** The fields of /api/v1/requests. */
    record Requests(List<RequestView> requests) {}

    /** The fields of /api/v1/audit. */
    record Audit(List<ActionView> actions) {}

    void addTo(Routes routes) {
        byte[] document = document();
        routes.get("/api/v1/cluster", this::cluster)
                .get("/api/v1/instances", this::instances)
                .get("/api/v1/jobs", this::jobs)
                .get("/api/v1/jobs/{group}/{name}", this::job)
                .get("/api/v1/history", this::history)
                .get("/api/v1/running", this::running)
                .get("/api/v1/requests", this::requests)
                .get("/api/v1/audit", this::audit)
                .get("/api/v1/timeline", this::timeline)
                .get(
                        "/api/v1/openapi.json",
                        call -> CompletableFuture.completedFuture(
                                new Answer(200, "application/json", Map.of(), document)));
    }

    private CompletableFuture<Answer> cluster(Call call) throws ProblemException {
        call.only(Set.of());
        return snapshots
                .cluster()
                .thenApply(seen -> Answers.of(
                        call, seen, new Cluster(self.id(), mayAct, seen.value()), Snapshots.version(seen.value())));
    }

    private CompletableFuture<Answer> instances(Call call) throws ProblemException {
        call.only(Set.of());
        return snapshots
                .cluster()
                .thenApply(seen -> Answers.of(
                        call, seen, new Instances(seen.value().instances()), Snapshots.version(seen.value())));
    }

    private CompletableFuture<Answer> jobs(Call call) throws ProblemException {
        JobsQuery query = JobsQuery.of(call);
        return snapshots.ledger().thenApply(seen -> Answers.of(call, seen, query.of(seen.value())));
    }

    private CompletableFuture<Answer> job(Call call) throws ProblemException {
        call.only(Set.of());
        return snapshots
                .ledger()
                .thenApply(seen -> seen.value()
                        .job(call.variable("group"), call.variable("name"))
                        .map(job -> Answers.of(call, seen, job))
                        .orElseGet(() -> Problem.notFound(
                                        "neither the ledger nor this instance's configuration has such a job",
                                        "see /api/v1/jobs?q= for the names there are")
                                .answer()));
    }

    private CompletableFuture<Answer> history(Call call) throws ProblemException {
        HistoryQuery query = HistoryQuery.of(call);
        return snapshots.ledger().thenApply(seen -> Answers.of(call, seen, query.of(seen.value())));
    }

    private CompletableFuture<Answer> running(Call call) throws ProblemException {
        call.only(Set.of("offset", "limit"));
        int offset = call.number("offset", 0, 0, 1_000_000);
        int limit = call.number("limit", 100, 1, MAX_RUNNING);
        return snapshots.ledger().thenApply(seen -> {
            LedgerView ledger = seen.value();
            return Answers.of(
                    call,
                    seen,
                    new Running(ledger.running().size(), offset, limit, Answers.page(ledger.running(), offset, limit)));
        });
    }

    private CompletableFuture<Answer> requests(Call call) throws ProblemException {
        call.only(Set.of());
        return snapshots
                .ledger()
                .thenApply(
                        seen -> Answers.of(call, seen, new Requests(seen.value().requests())));
    }

    private CompletableFuture<Answer> timeline(Call call) throws ProblemException {
        call.only(Set.of("from", "to", "q", "limit"));
        Optional<Instant> from = call.instant("from");
        Optional<Instant> to = call.instant("to");
        if (from.isPresent() && to.isPresent() && !from.get().isBefore(to.get())) {
            throw Problem.badRequest("from is not before to", "give the earlier instant as from")
                    .asException();
        }
        String text = call.parameter("q").orElse("").toLowerCase(Locale.ROOT);
        int limit = call.number("limit", MARKS, 1, MAX_MARKS);
        return snapshots.ledger().thenApply(seen -> {
            Instant end = to.orElseGet(() -> from.map(begin -> begin.plus(SPAN)).orElse(seen.asOf()));
            TimelineView view = TimelineView.of(
                    seen.value(),
                    seen.asOf(),
                    from.orElseGet(() -> end.minus(SPAN)),
                    end,
                    job -> text.isEmpty() || job.toLowerCase(Locale.ROOT).contains(text),
                    limit);
            return Answers.of(call, seen, view);
        });
    }

    private CompletableFuture<Answer> audit(Call call) throws ProblemException {
        call.only(Set.of());
        return snapshots
                .ledger()
                .thenApply(seen -> Answers.of(call, seen, new Audit(seen.value().audit())));
    }

    private static byte[] document() {
        try (InputStream in = Api.class.getResourceAsStream("openapi.json")) {
            if (in == null) {
                throw new IllegalStateException("The jar has no openapi.json");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException("The jar's openapi.json cannot be read", e);
        }
    }
}
