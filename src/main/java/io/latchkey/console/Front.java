package io.latchkey.console;

import io.latchkey.console.Problem.ProblemException;
import io.latchkey.lifecycle.Faults;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What every request passes: who may ask, what may be asked, how much; then its endpoint answers. Holds no thread up. */
final class Front extends Handler.Abstract {
    /** The largest body that is read. */
    static final int MAX_BODY = 64 * 1024;

    static final String EVENTS = "/api/v1/events";

    private static final Logger log = LoggerFactory.getLogger(Front.class);
    private static final String BEARER = "Bearer ";
    private static final Duration BODY_PATIENCE = Duration.ofSeconds(10);

    private final Routes routes;
    private final Streams streams;
    private final Tokens tokens;
    private final ScheduledExecutorService timer;
    private final Faults faults;
    private volatile @Nullable HostCheck hosts;

    Front(Routes routes, Streams streams, Tokens tokens, ScheduledExecutorService timer, Faults faults) {
        this.routes = routes;
        this.streams = streams;
        this.tokens = tokens;
        this.timer = timer;
        this.faults = faults;
    }

    /** The address is known: before it is, nothing is answered. */
    void open(HostCheck check) {
        hosts = check;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Headers.secure(response.getHeaders());
        boolean head = request.getMethod().equals("HEAD");
        CompletableFuture<Answer> answer;
        try {
            guard(request);
            String method = head ? "GET" : request.getMethod();
            HttpURI uri = request.getHttpURI();
            String path = uri.getPath() == null ? "" : uri.getPath();
            if (path.equals(EVENTS) && method.equals("GET") && !head) {
                streams.open(request, response, callback);
                return true;
            }
            answer = dispatch(request, method, Uris.segments(path));
        } catch (Throwable failure) {
            answer = CompletableFuture.failedFuture(failure);
        }
        var unused = answer.whenComplete((made, failure) -> {
            Answer written = failure == null ? made : failed(request, failure);
            write(response, written, head, callback);
        });
        return true;
    }

    private void guard(Request request) throws ProblemException {
        HostCheck check = hosts;
        if (check == null) {
            throw Problem.unavailable("the console is starting", "ask again").asException();
        }
        Optional<Problem> refusal = check.refusal(header(request, "Host"), header(request, "Origin"));
        if (refusal.isPresent()) {
            throw refusal.get().asException();
        }
    }

    private CompletableFuture<Answer> dispatch(Request request, String method, List<String> segments)
            throws ProblemException {
        Optional<Routes.Found> found = routes.find(method, segments);
        if (found.isEmpty()) {
            throw nothingThere(method, segments).asException();
        }
        Map<String, List<String>> query = Uris.parameters(request.getHttpURI().getQuery());
        Routes.Found route = found.get();
        if (!method.equals("POST")) {
            return route.endpoint()
                    .handle(new Call(method, route.variables(), query, name -> header(request, name), new byte[0], ""));
        }
        String operator = operator(request);
        if (!header(request, "Content-Type")
                .map(type -> type.split(";", -1)[0].strip().equalsIgnoreCase("application/json"))
                .orElse(false)) {
            throw new Problem(
                            415,
                            "Unsupported media type",
                            "an action is asked for in JSON",
                            "send Content-Type: application/json")
                    .asException();
        }
        return body(request).thenCompose(body -> {
            try {
                return route.endpoint()
                        .handle(new Call(
                                method, route.variables(), query, name -> header(request, name), body, operator));
            } catch (ProblemException e) {
                return CompletableFuture.failedFuture(e);
            }
        });
    }

    private Problem nothingThere(String method, List<String> segments) {
        Set<String> methods = routes.methods(segments);
        if (methods.isEmpty()) {
            return Problem.notFound("there is nothing at this address", "see /api/v1/openapi.json for what there is");
        }
        String allowed = String.join(", ", methods);
        return new Problem(
                405,
                "Method not allowed",
                (method.length() > 20 ? "this method" : method) + " is not for this address",
                "use " + allowed,
                Map.of("Allow", allowed));
    }

    private String operator(Request request) throws ProblemException {
        if (!tokens.any()) {
            throw new Problem(
                            403,
                            "Forbidden",
                            "actions are off: this instance has no tokens",
                            "set http.token-file, or use the command line")
                    .asException();
        }
        return header(request, "Authorization")
                .filter(value -> value.regionMatches(true, 0, BEARER, 0, BEARER.length()))
                .flatMap(value ->
                        tokens.operator(value.substring(BEARER.length()).strip()))
                .orElseThrow(() -> new Problem(
                                401,
                                "Unauthorized",
                                "no bearer token came with the request, or one that nobody has here",
                                "send Authorization: Bearer, with a token of http.token-file",
                                Map.of("WWW-Authenticate", "Bearer"))
                        .asException());
    }

    private CompletableFuture<byte[]> body(Request request) throws ProblemException {
        Problem tooLarge = new Problem(
                413,
                "Content too large",
                "the body is over " + MAX_BODY / 1024 + " KiB",
                "put large data into a file and pass its name",
                Map.of("Connection", "close"));
        if (request.getLength() > MAX_BODY) {
            throw tooLarge.asException();
        }
        Problem tooSlow = new Problem(
                408,
                "Request timeout",
                "the body did not come within " + BODY_PATIENCE.toSeconds() + " s",
                "send it at once",
                Map.of("Connection", "close"));
        CompletableFuture<byte[]> out = new CompletableFuture<>();
        var patience = timer.schedule(
                () -> out.completeExceptionally(tooSlow.asException()),
                BODY_PATIENCE.toMillis(),
                TimeUnit.MILLISECONDS);
        Content.Source.asByteArrayAsync(request, MAX_BODY, new Promise.Invocable<>() {
            @Override
            public void succeeded(byte[] body) {
                patience.cancel(false);
                out.complete(body);
            }

            @Override
            public void failed(Throwable failure) {
                patience.cancel(false);
                // The only limit there is: everything else ends the connection, and then nobody reads this.
                out.completeExceptionally(tooLarge.asException());
            }

            @Override
            public InvocationType getInvocationType() {
                return InvocationType.BLOCKING;
            }
        });
        return out;
    }

    private Answer failed(Request request, Throwable failure) {
        Throwable cause = failure;
        while (!(cause instanceof ProblemException) && cause.getCause() != null && isWrapping(cause)) {
            cause = cause.getCause();
        }
        if (cause instanceof ProblemException problem) {
            return problem.problem().answer();
        }
        if (cause instanceof Cached.NothingYetException nothing) {
            return Problem.unavailable(
                            "nothing is known of the cluster: " + nothing.getMessage(),
                            "see that this instance reaches ZooKeeper, and ask again")
                    .answer();
        }
        String what = "Answering " + request.getMethod() + " failed";
        if (Faults.isFatal(cause)) {
            faults.report(what, cause);
        } else {
            log.error("{}: an error of ours; the one who asked was told so", what, cause);
        }
        return new Problem(500, "Internal error", "an error of ours", "see the log of this instance").answer();
    }

    private static boolean isWrapping(Throwable failure) {
        return failure instanceof CompletionException || failure.getCause() instanceof ProblemException;
    }

    private static void write(Response response, Answer answer, boolean head, Callback callback) {
        response.setStatus(answer.status());
        answer.headers().forEach((name, value) -> response.getHeaders().put(name, value));
        if (!answer.type().isEmpty()) {
            response.getHeaders().put("Content-Type", answer.type());
        }
        if (answer.status() != 304) {
            response.getHeaders().put("Content-Length", answer.body().length);
        }
        response.write(true, head ? null : ByteBuffer.wrap(answer.body()), callback);
    }

    private static Optional<String> header(Request request, String name) {
        return Optional.ofNullable(request.getHeaders().get(name));
    }
}
