package io.latchkey.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.latchkey.console.Problem.ProblemException;
import io.latchkey.election.Time;
import io.latchkey.ledger.AuditRecord;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.LedgerReader;
import io.latchkey.ledger.Request;
import io.latchkey.ledger.Requests;
import io.latchkey.view.ActionView;
import io.latchkey.view.Asking;
import io.latchkey.zookeeper.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What operators ask for: filed in ZooKeeper, so that any instance takes it and whoever leads does it, once; then waited for
 * a little. Who sends the same {@code Idempotency-Key} again gets what became of the first.
 */
final class Actions {
    private static final Logger log = LoggerFactory.getLogger(Actions.class);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
    private static final int WAIT_SECONDS = 3;
    private static final int MAX_WAIT_SECONDS = 30;
    private static final int MAX_UNDER_WAY = 50;
    private static final int MAX_WAITING = 1000;
    /** A claim holds the data too, in one transaction of 64 KiB. */
    private static final int MAX_DATA_BYTES = 16 * 1024;

    /** Seconds that a reload is looked at for its record. */
    private static final int FOLLOWED = 60;

    private static final String PLACE = "/api/v1/requests/";

    private final Sources sources;
    private final Snapshots snapshots;
    private final Executor executor;
    private final ScheduledExecutorService timer;
    private final Time time;
    private final Requests requests;
    private final Reloads reloads;
    private final AtomicInteger underWay = new AtomicInteger();

    /** @param executor where is read and written, blocking */
    Actions(Sources sources, Snapshots snapshots, Executor executor, ScheduledExecutorService timer, Time time) {
        this.sources = sources;
        this.snapshots = snapshots;
        this.executor = executor;
        this.timer = timer;
        this.time = time;
        this.requests = new Requests(sources.nodes(), sources.sessions(), time.clock());
        this.reloads = new Reloads(sources, time);
    }

    /** The fields of an answer. */
    record Answered(ActionView action) {}

    void addTo(Routes routes) {
        routes.post("/api/v1/actions/trigger", call -> act(call, Request.Kind.TRIGGER))
                .post("/api/v1/actions/pause", call -> act(call, Request.Kind.PAUSE))
                .post("/api/v1/actions/resume", call -> act(call, Request.Kind.RESUME))
                .post("/api/v1/actions/resign", call -> act(call, Request.Kind.RESIGN))
                .post("/api/v1/actions/reload", call -> act(call, Request.Kind.RELOAD))
                .get(PLACE + "{id}", this::one);
    }

    private CompletableFuture<Answer> act(Call call, Request.Kind kind) throws ProblemException {
        call.only(Set.of("wait"));
        int wait = call.number("wait", WAIT_SECONDS, 0, MAX_WAIT_SECONDS);
        Optional<String> key = call.header().apply("Idempotency-Key");
        if (key.isPresent() && !key.get().matches("[\\x21-\\x7e]{1,200}")) {
            throw Problem.badRequest(
                            "the Idempotency-Key is none",
                            "send 1 to 200 visible ASCII characters, new for each action")
                    .asException();
        }
        Request request = request(kind, call);
        long end = time.nanoTime() + TimeUnit.SECONDS.toNanos(wait);
        return check(request)
                .thenCompose(nothing -> busy(() -> file(request, key)))
                .thenCompose(filed -> {
                    CompletableFuture<ActionView> settled = answered(filed, end);
                    if (kind == Request.Kind.RELOAD) {
                        var unused = settled.thenAccept(action -> follow(action, FOLLOWED));
                    }
                    return settled;
                })
                .thenCompose(action -> kind == Request.Kind.RESIGN && action.state() == ActionView.State.WAITING
                        ? busy(() -> withdraw(action, call.operator()))
                        : CompletableFuture.completedFuture(action))
                .thenApply(Actions::answer);
    }

    private Request request(Request.Kind kind, Call call) throws ProblemException {
        ObjectNode body = body(call.body());
        Set<String> fields = switch (kind) {
            case TRIGGER -> Set.of("job", "data");
            case PAUSE, RESUME -> Set.of("job", "trigger", "all");
            case RESIGN -> Set.of();
            case RELOAD -> Set.of(Request.ALLOW_EMPTY);
        };
        for (Map.Entry<String, JsonNode> field : body.properties()) {
            if (!fields.contains(field.getKey())) {
                throw Problem.badRequest(
                                "there is no field \"" + field.getKey() + "\" here",
                                fields.isEmpty() ? "send {}" : "these are: " + String.join(", ", fields))
                        .asException();
            }
        }
        if (kind == Request.Kind.RELOAD) {
            JsonNode allow = body.path(Request.ALLOW_EMPTY);
            if (!allow.isMissingNode() && !allow.isBoolean()) {
                throw Problem.badRequest(
                                "\"allowEmpty\" is neither true nor false", "send {\"allowEmpty\": true}, or {}")
                        .asException();
            }
            return Request.reload(allow.asBoolean(false), call.operator(), time.now());
        }
        String job = text(body, "job");
        String trigger = text(body, "trigger");
        boolean all = body.path("all").asBoolean(false);
        if (kind == Request.Kind.TRIGGER && job == null) {
            throw Problem.badRequest("no job is named", "send {\"job\": \"group.name\"}")
                    .asException();
        }
        if ((kind == Request.Kind.PAUSE || kind == Request.Kind.RESUME)
                && (job == null ? 0 : 1) + (trigger == null ? 0 : 1) + (all ? 1 : 0) != 1) {
            throw Problem.badRequest("what is meant is not said", "send one of job, trigger, or \"all\": true")
                    .asException();
        }
        try {
            return Asking.request(kind, job, trigger, data(body.path("data")), call.operator(), time.now());
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest("that is no name", "write group.name, as /api/v1/jobs has it in \"job\"")
                    .asException();
        }
    }

    private static ObjectNode body(byte[] bytes) throws ProblemException {
        try {
            if (bytes.length == 0) {
                return Json.mapper().createObjectNode();
            }
            if (Json.mapper().readTree(bytes) instanceof ObjectNode object) {
                return object;
            }
        } catch (JsonProcessingException e) {
            log.debug("A body that is no JSON", e);
        } catch (IOException e) {
            throw new IllegalStateException("Read from memory", e);
        }
        throw Problem.badRequest("the body is no JSON object", "send an object, such as {\"job\": \"group.name\"}")
                .asException();
    }

    private static @Nullable String text(ObjectNode body, String field) throws ProblemException {
        JsonNode value = body.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        if (!value.isTextual()) {
            throw Problem.badRequest("\"" + field + "\" is no text", "send a name, group.name")
                    .asException();
        }
        return value.textValue();
    }

    private static Map<String, String> data(JsonNode given) throws ProblemException {
        Map<String, String> out = new LinkedHashMap<>();
        int bytes = 0;
        if (!given.isMissingNode() && !given.isObject()) {
            throw Problem.badRequest("\"data\" is no object", "send {\"key\": \"value\"}")
                    .asException();
        }
        for (Map.Entry<String, JsonNode> field : given.properties()) {
            if (!field.getValue().isTextual()) {
                throw Problem.badRequest(
                                "the value of \"" + field.getKey() + "\" in \"data\" is no text",
                                "send every value as a text")
                        .asException();
            }
            out.put(field.getKey(), field.getValue().textValue());
            bytes += (field.getKey() + field.getValue().textValue()).getBytes(StandardCharsets.UTF_8).length;
        }
        if (bytes > MAX_DATA_BYTES) {
            throw new Problem(
                            413,
                            "Content too large",
                            "\"data\" takes " + bytes + " bytes; the limit is " + MAX_DATA_BYTES,
                            "put it into a file and pass its name")
                    .asException();
        }
        return out;
    }

    /** What can be known to make no sense, before anything is filed. */
    private CompletableFuture<Void> check(Request request) {
        return snapshots.cluster().thenCombine(snapshots.ledger(), (cluster, ledger) -> {
            if (cluster.stale()) {
                throw new Refused(Problem.unavailable(
                        "ZooKeeper is out of reach: nothing can be asked of anybody", "try again when it is back"));
            }
            // Kept for a leader to come, the request would take the lead from one that nobody meant.
            if (request.kind() == Request.Kind.RESIGN
                    && cluster.value().currentLeader().isEmpty()) {
                throw new Refused(
                        new Problem(409, "Conflict", "nobody leads: there is nobody to resign", "see /api/v1/cluster"));
            }
            ActionView named = ActionView.asked(request);
            if (!ledger.value().knows(named.job(), named.trigger())) {
                throw new Refused(Problem.notFound(
                        "there is no such job or trigger", "see /api/v1/jobs?q= for the names there are"));
            }
            if (ledger.value().requests().size() >= MAX_WAITING) {
                throw new Refused(Problem.unavailable(
                        MAX_WAITING + " requests wait for the leader already", "see why it does not answer them"));
            }
            return null;
        });
    }

    /** A problem on its way through stages that may throw nothing checked. */
    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Refused(Problem problem) {
            super(problem.asException());
        }
    }

    private AuditRecord file(Request request, Optional<String> key) throws ProblemException {
        AuditRecord filed;
        try {
            filed = request.kind() == Request.Kind.RELOAD ? reloads.file(request, key) : requests.file(request, key);
        } catch (LedgerException e) {
            log.warn("A request of {} ({}) may not have been filed: {}", request.by(), request.kind(), e.getMessage());
            throw Problem.unavailable(
                            "it is not known whether the request was filed",
                            "send it again; with the same Idempotency-Key it is done once")
                    .asException();
        }
        if (!filed.asksForTheSameAs(request)) {
            throw new Problem(
                            422,
                            "Unprocessable content",
                            "that Idempotency-Key was used for another action",
                            "make a new one for each action")
                    .asException();
        }
        log.info("Filed for operator {}: {} {}", request.by(), request.kind(), filed.seq());
        return filed;
    }

    private CompletableFuture<ActionView> answered(AuditRecord filed, long end) {
        return busy(() -> read(filed.seq())
                        .orElseThrow(() -> Problem.unavailable("the request's record is gone", "see /api/v1/audit")
                                .asException()))
                .thenCompose(action -> {
                    if (action.state() != ActionView.State.WAITING || time.nanoTime() - end >= 0) {
                        return CompletableFuture.completedFuture(action);
                    }
                    CompletableFuture<ActionView> later = new CompletableFuture<>();
                    var unused = timer.schedule(
                            () -> {
                                var unusedAnswer = answered(filed, end).whenComplete((found, failure) -> {
                                    if (failure == null) {
                                        later.complete(found);
                                    } else {
                                        later.completeExceptionally(failure);
                                    }
                                });
                            },
                            LOOK_AGAIN.toMillis(),
                            TimeUnit.MILLISECONDS);
                    return later;
                });
    }

    /** Looks on, for the record, when the one who asked has had an answer. */
    private void follow(ActionView action, int looks) {
        if (action.state() == ActionView.State.WAITING && looks > 0) {
            var unused = timer.schedule(
                    () -> {
                        var unusedLook = busy(() -> read(action.id()))
                                .exceptionally(failure -> Optional.of(action))
                                .thenAccept(found -> found.ifPresent(now -> follow(now, looks - 1)));
                    },
                    1,
                    TimeUnit.SECONDS);
        }
    }

    private ActionView withdraw(ActionView waiting, String by) throws Exception {
        if (requests.withdraw(waiting.id(), by)) {
            throw Problem.unavailable(
                            "the leader did not answer in time; the request is withdrawn", "see the leader's log")
                    .asException();
        }
        return read(waiting.id()).orElse(waiting);
    }

    private Optional<ActionView> read(String id) throws Exception {
        Optional<ActionView> found = ActionView.read(
                new LedgerReader(sources.nodes(), sources.sessions().current()), id);
        return found.filter(action -> action.kind() == Request.Kind.RELOAD).isPresent() ? reloads.read(id) : found;
    }

    private CompletableFuture<Answer> one(Call call) throws ProblemException {
        call.only(Set.of());
        String id = call.variable("id");
        if (!id.matches("[a-z0-9-]{1,80}")) {
            throw Problem.notFound("there is no such request", "see /api/v1/audit")
                    .asException();
        }
        return busy(() -> read(id))
                .thenApply(found -> found.map(action -> Answer.json(200, new Answered(action)))
                        .orElseGet(() -> Problem.notFound("there is no such request", "see /api/v1/audit")
                                .answer()));
    }

    private static Answer answer(ActionView action) {
        return Answer.json(action.state() == ActionView.State.WAITING ? 202 : 200, new Answered(action))
                .with(Map.of("Location", PLACE + action.id()));
    }

    /** Runs what blocks, where it may; as many as there may be wait for it. */
    private <T> CompletableFuture<T> busy(Callable<T> task) {
        CompletableFuture<T> out = new CompletableFuture<>();
        if (underWay.incrementAndGet() > MAX_UNDER_WAY) {
            underWay.decrementAndGet();
            out.completeExceptionally(Problem.unavailable("too many requests at once", "ask again in a while")
                    .asException());
            return out;
        }
        try {
            executor.execute(() -> {
                try {
                    out.complete(task.call());
                } catch (LedgerException | io.latchkey.zookeeper.NotConnectedException e) {
                    log.debug("Not read or written", e);
                    out.completeExceptionally(Problem.unavailable(
                                    "ZooKeeper does not answer",
                                    "ask again; with the same Idempotency-Key an action is done once")
                            .asException());
                } catch (Throwable failure) {
                    out.completeExceptionally(failure);
                } finally {
                    underWay.decrementAndGet();
                }
            });
        } catch (RejectedExecutionException e) {
            underWay.decrementAndGet();
            out.completeExceptionally(Problem.unavailable("this instance is stopping", "ask another one")
                    .asException());
        }
        return out;
    }
}
