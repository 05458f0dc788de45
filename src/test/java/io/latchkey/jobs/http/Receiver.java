package io.latchkey.jobs.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** A real HTTP server on a free port that keeps what it was sent. */
final class Receiver implements AutoCloseable {
    /** Answers one request. */
    interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    record Received(String method, String uri, Map<String, List<String>> headers, String body) {
        Optional<String> header(String name) {
            return headers.entrySet().stream()
                    .filter(entry -> entry.getKey().equalsIgnoreCase(name))
                    .flatMap(entry -> entry.getValue().stream())
                    .findFirst();
        }
    }

    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private final String origin;

    private Receiver(HttpServer server, String origin) {
        this.server = server;
        this.origin = origin + ":" + server.getAddress().getPort();
    }

    static Receiver answering(Answer answer) throws IOException {
        return answering("127.0.0.1", answer);
    }

    /** @param host by which it is called; "localhost" and "127.0.0.1" are two hosts to a client */
    static Receiver answering(String host, Answer answer) throws IOException {
        return start(new Receiver(HttpServer.create(free(), 0), "http://" + host), answer);
    }

    /** One that speaks TLS, called as "localhost". */
    static Receiver secure(SSLContext context, Answer answer) throws IOException {
        HttpsServer server = HttpsServer.create(free(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        return start(new Receiver(server, "https://localhost"), answer);
    }

    private static InetSocketAddress free() throws IOException {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static Receiver start(Receiver receiver, Answer answer) {
        HttpServer server = receiver.server;
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            receiver.received.add(new Received(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    Map.copyOf(exchange.getRequestHeaders()),
                    body));
            try {
                answer.to(exchange);
            } finally {
                exchange.close();
            }
        });
        server.setExecutor(receiver.threads);
        server.start();
        return receiver;
    }

    /** Answers with a status and a text. */
    static Answer with(int status, String text) {
        return exchange -> {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        };
    }

    static Answer redirecting(int status, String location) {
        return exchange -> {
            exchange.getResponseHeaders().set("Location", location);
            exchange.sendResponseHeaders(status, -1);
        };
    }

    String url(String path) {
        return origin + path;
    }

    List<Received> received() {
        return List.copyOf(received);
    }

    Received only() {
        if (received.size() != 1) {
            throw new AssertionError("received " + received);
        }
        return received.get(0);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
