package com.example.fencing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** A receiver that takes each fire once, and none of a leader that has been replaced. */
final class FencedReceiver implements AutoCloseable {
    private final HttpServer server;
    private final List<String> work = new CopyOnWriteArrayList<>();
    // recipe
    private final Map<String, Long> tokens = new HashMap<>(); // of each job the highest; in a table, where it must last
    private final Set<String> done = new HashSet<>();

    private synchronized int receive(String job, long token, String fireId, String body) {
        if (token < tokens.getOrDefault(job, 0L)) {
            return 409; // a newer leader has run this job: refuse
        }
        tokens.put(job, token);
        if (done.contains(fireId)) {
            return 200; // an earlier attempt of this fire: done already
        }
        work(body);
        done.add(fireId);
        return 200;
    }
    // end

    FencedReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        int status = receive(
                exchange.getRequestHeaders().getFirst("Latchkey-Job"),
                Long.parseLong(exchange.getRequestHeaders().getFirst("Latchkey-Fencing-Token")),
                exchange.getRequestHeaders().getFirst("Idempotency-Key"),
                body);
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private void work(String body) {
        work.add(body);
    }

    List<String> done() {
        return List.copyOf(work);
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
