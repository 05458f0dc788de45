package io.latchkey.console;

import io.latchkey.conf.HttpSettings;
import io.latchkey.election.Time;
import io.latchkey.lifecycle.Closer;
import io.latchkey.lifecycle.Threads;
import io.latchkey.view.Redaction;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An instance's console, wired. It listens from {@link #start} to {@link #close}, before the instance takes part in the
 * election and while it drains, so that its health can be asked all the time.
 */
public final class Console implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Console.class);
    private static final Duration STOP = Duration.ofSeconds(2);
    private static final Duration SLOWEST_REQUEST = Duration.ofSeconds(10);

    private final Closer closer;
    private final HttpServer server;

    private Console(Closer closer, HttpServer server) {
        this.closer = closer;
        this.server = server;
    }

    /**
     * Listens from now on.
     *
     * @throws ConsoleException if it cannot, as it is configured
     */
    public static Console start(HttpSettings settings, Sources sources, Threads threads, Time time)
            throws ConsoleException {
        Tokens tokens = settings.tokenFile().isPresent()
                ? Tokens.read(settings.tokenFile().get())
                : Tokens.NONE;
        Closer closer = new Closer();
        boolean started = false;
        try {
            ScheduledExecutorService timer = threads.scheduled("console");
            closer.push("console", () -> Threads.stop("console", timer, STOP));
            ExecutorService reads = threads.single("console-reads");
            closer.push("console-reads", () -> Threads.stop("console-reads", reads, STOP));
            Snapshots snapshots = new Snapshots(sources, new Redaction(settings.showData()), reads, timer, time);
            ExecutorService requests = threads.single("console-requests");
            closer.push("console-requests", () -> Threads.stop("console-requests", requests, STOP));
            Routes routes =
                    routes(sources, snapshots, new Actions(sources, snapshots, requests, timer, time), tokens.any());
            Page.addTo(routes);
            Streams streams = new Streams(snapshots, timer);
            Front front = new Front(routes, streams, tokens, timer, threads.faults());
            HttpServer server = closer.push(
                    "HTTP server",
                    HttpServer.start(settings, front, threads, timer, new SlowConnections(timer, SLOWEST_REQUEST)));
            // Before the server, which would wait for them.
            closer.push("event streams", streams);
            log.info(
                    "Console at {}; actions are {}",
                    server.address(),
                    tokens.any() ? "on, with a token of http.token-file" : "off: http.token-file is not set");
            started = true;
            return new Console(closer, server);
        } finally {
            if (!started) {
                closer.close();
            }
        }
    }

    /**
     * Checks what the start reads: the token file and the keystore with its password. Listens nowhere.
     *
     * @throws ConsoleException if the console could not start with them
     */
    public static void check(HttpSettings settings) throws ConsoleException {
        if (settings.enabled() && settings.tokenFile().isPresent()) {
            Tokens.read(settings.tokenFile().get());
        }
        if (settings.enabled() && settings.tls().isPresent()) {
            HttpServer.check(settings.tls().get());
        }
    }

    /** All that programs can ask for but the event stream, which is no answer like others. */
    static Routes routes(Sources sources, Snapshots snapshots, Actions actions, boolean mayAct) {
        Routes routes = new Routes();
        new HealthChecks(sources.self(), sources.metrics(), snapshots).addTo(routes);
        new Api(sources.self(), snapshots, mayAct).addTo(routes);
        actions.addTo(routes);
        return routes;
    }

    /** Where others find it, such as {@code http://127.0.0.1:8080}. */
    public String address() {
        return server.address();
    }

    @Override
    public void close() {
        closer.close();
    }
}
