package io.latchkey.jobs.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.latchkey.testing.Keystores;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls to real servers: what they are sent, what comes back, and what is never shown. */
@Timeout(60)
class HttpCallerTest {
    private static final Map<String, String> FIRE = FireHeaders.of(
            "öps.t@2026-11-29T12:00:00Z", java.time.Instant.parse("2026-11-29T12:00:00Z"), 42, 2, "öps.a b");
    private static final String SECRET = "s3cr/t \"k+y\"";

    @TempDir
    Path dir;

    private final Map<String, String> data = new HashMap<>();

    @Test
    void requestHasWhatTheDataSayAndTheFire() throws Exception {
        try (Receiver receiver = Receiver.answering(Receiver.with(201, "done\n"))) {
            data.put("header.X-Kind", "report");
            data.put("body", "{\"a\": 1}");

            HttpAnswer answer = call(receiver.url("/path?q=1"));

            assertThat(answer.status()).isEqualTo(201);
            assertThat(answer.tail()).isEqualTo("done\n");
            Receiver.Received request = receiver.only();
            assertThat(request.method()).isEqualTo("POST");
            assertThat(request.uri()).isEqualTo("/path?q=1");
            assertThat(request.body()).isEqualTo("{\"a\": 1}");
            assertThat(request.header("X-Kind")).contains("report");
            assertThat(request.header("Idempotency-Key")).contains("%C3%B6ps.t@2026-11-29T12:00:00Z");
            assertThat(request.header("Latchkey-Fencing-Token")).contains("42");
            assertThat(request.header("Latchkey-Attempt")).contains("2");
            assertThat(request.header("Latchkey-Scheduled-Time")).contains("2026-11-29T12:00:00Z");
            assertThat(request.header("Latchkey-Job")).contains("%C3%B6ps.a%20b");
            assertThat(request.header("Upgrade")).isEmpty();
        }
    }

    @Test
    void bodyComesFromAFileAsItIs() throws Exception {
        try (Receiver receiver = Receiver.answering(Receiver.with(200, ""))) {
            data.put(
                    "body-file",
                    Files.writeString(dir.resolve("body"), "${env:HOME}\n").toString());
            data.put("method", "put");

            call(receiver.url("/"));

            assertThat(receiver.only().body()).isEqualTo("${env:HOME}\n");
            assertThat(receiver.only().method()).isEqualTo("PUT");
        }
    }

    @Test
    void secretsGoOutAndNeverComeBack() throws Exception {
        String file = secretFile();
        try (Receiver receiver = Receiver.answering(exchange -> {
            String basic = Base64.getEncoder().encodeToString(SECRET.getBytes(StandardCharsets.UTF_8));
            Receiver.with(
                            403,
                            "you sent " + exchange.getRequestHeaders().getFirst("X-Key") + " and "
                                    + exchange.getRequestURI()
                                    + " in json: s3cr/t \\\"k+y\\\" or s3cr\\/t \\\"k+y\\\" in base64: " + basic)
                    .to(exchange);
        })) {
            data.put("header.X-Key", "key ${file:" + file + "}");
            data.put("body", "{\"key\": \"${file:" + file + "}\", \"plain\": \"$${x}\"}");

            HttpAnswer answer = call(receiver.url("/p?key=${file:" + file + "}"));

            assertThat(receiver.only().header("X-Key")).contains("key " + SECRET);
            assertThat(receiver.only().uri()).isEqualTo("/p?key=s3cr%2Ft%20%22k%2By%22");
            assertThat(receiver.only().body()).isEqualTo("{\"key\": \"" + SECRET + "\", \"plain\": \"${x}\"}");
            assertThat(answer.tail()).isEqualTo("you sent key *** and /p?key=*** in json: *** or *** in base64: ***");
        }
    }

    @Test
    void wholeUrlMayBeTheSecretAndNoErrorShowsIt() throws Exception {
        Files.writeString(dir.resolve("url"), "http://127.0.0.1:1/hook-t0ken\n");

        assertThatThrownBy(() -> call("${file:" + dir.resolve("url") + "}"))
                .isInstanceOf(HttpCallException.class)
                .hasMessageContaining("${file:" + dir.resolve("url") + "}: no connection")
                .hasNoCause();

        Files.writeString(dir.resolve("url"), "ftp://t0ken/");
        assertThatThrownBy(() -> call("${file:" + dir.resolve("url") + "}"))
                .hasMessageContaining("does not begin with http")
                .message()
                .doesNotContain("t0ken");
        Files.writeString(dir.resolve("url"), "http://t0ken^:::/");
        assertThatThrownBy(() -> call("${file:" + dir.resolve("url") + "}"))
                .hasNoCause()
                .message()
                .doesNotContain("t0ken");
    }

    @Test
    void referenceThatLeadsNowhereIsNamedAndNothingIsSent() throws Exception {
        try (Receiver receiver = Receiver.answering(Receiver.with(200, ""))) {
            data.put("header.X", "${env:NO_SUCH_VARIABLE_HERE}");
            assertThatThrownBy(() -> call(receiver.url("/"))).hasMessageContaining("no variable NO_SUCH_VARIABLE_HERE");
            data.put("header.X", "${file:/no/such/file}");
            assertThatThrownBy(() -> call(receiver.url("/")))
                    .hasMessageContaining("the file /no/such/file cannot be read");

            assertThat(receiver.received()).isEmpty();
        }
    }

    @Test
    void lineEndInASecretCannotBecomeAHeader() throws Exception {
        Files.writeString(dir.resolve("evil"), "a\r\nX-Evil: 1");
        try (Receiver receiver = Receiver.answering(Receiver.with(200, ""))) {
            data.put("header.X", "${file:" + dir.resolve("evil") + "}");

            assertThatThrownBy(() -> call(receiver.url("/")))
                    .hasMessageContaining("header X has a line end")
                    .message()
                    .doesNotContain("Evil");
            assertThat(receiver.received()).isEmpty();
        }
    }

    @Test
    void redirectIsNotFollowedUnlessToldAndSaysWhereTo() throws Exception {
        try (Receiver receiver = Receiver.answering(Receiver.redirecting(302, "/other?token=1"))) {
            HttpAnswer answer = call(receiver.url("/"));

            assertThat(answer.status()).isEqualTo(302);
            assertThat(answer.location()).isEqualTo("/other");
            assertThat(receiver.received()).hasSize(1);
        }
    }

    @Test
    void redirectOnTheSameHostKeepsTheHeaders() throws Exception {
        try (Receiver receiver = Receiver.answering(exchange -> {
            boolean first = exchange.getRequestURI().getPath().equals("/");
            (first ? Receiver.redirecting(307, "/other") : Receiver.with(200, "there")).to(exchange);
        })) {
            data.put("redirects", "follow");
            data.put("body", "text");
            data.put("header.X", "y");

            assertThat(call(receiver.url("/")).tail()).isEqualTo("there");

            Receiver.Received second = receiver.received().get(1);
            assertThat(second.body()).isEqualTo("text");
            assertThat(second.header("X")).contains("y");
            assertThat(second.header("Idempotency-Key")).isPresent();
        }
    }

    @Test
    void anotherHostGetsNoSecretAndNoToken() throws Exception {
        try (Receiver other = Receiver.answering("localhost", Receiver.with(200, "other"));
                Receiver receiver = Receiver.answering(Receiver.redirecting(303, other.url("/x")))) {
            data.put("redirects", "follow");
            data.put("body", SECRET);
            data.put("header.Authorization", "Bearer " + SECRET);

            assertThat(call(receiver.url("/")).tail()).isEqualTo("other");

            Receiver.Received request = other.only();
            assertThat(request.method()).isEqualTo("GET");
            assertThat(request.body()).isEmpty();
            assertThat(request.headers().toString()).doesNotContain("s3cr");
            assertThat(request.header("Latchkey-Fencing-Token")).isEmpty();
            assertThat(request.header("Idempotency-Key")).isEmpty();
        }
    }

    @Test
    void bodyIsNotSentOnToAnotherHost() throws Exception {
        try (Receiver other = Receiver.answering("localhost", Receiver.with(200, "other"));
                Receiver receiver = Receiver.answering(Receiver.redirecting(307, other.url("/x")))) {
            data.put("redirects", "follow");
            data.put("body", SECRET);

            assertThatThrownBy(() -> call(receiver.url("/"))).hasMessageContaining("to another host, localhost");
            assertThat(other.received()).isEmpty();
        }
    }

    @Test
    void redirectsWithoutEndEnd() throws Exception {
        try (Receiver receiver = Receiver.answering(Receiver.redirecting(302, "/again"))) {
            data.put("redirects", "follow");

            assertThatThrownBy(() -> call(receiver.url("/"))).hasMessageContaining("more than 5 redirects");
        }
    }

    @Test
    void bodyWithoutEndIsReadNoFurtherThanAMegabyte() throws Exception {
        CompletableFuture<Long> written = new CompletableFuture<>();
        try (Receiver receiver = Receiver.answering(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            long bytes = 0;
            byte[] block = "0123456789abcdef".repeat(512).getBytes(StandardCharsets.US_ASCII);
            try (OutputStream out = exchange.getResponseBody()) {
                while (true) {
                    out.write(block);
                    bytes += block.length;
                }
            } catch (IOException e) {
                written.complete(bytes);
            }
        })) {
            HttpAnswer answer = call(receiver.url("/"));

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.complete()).isFalse();
            assertThat(answer.tail()).hasSize(TailSubscriber.KEPT);
            // What was on its way in buffers of the two machines counts in.
            assertThat(written.get(30, TimeUnit.SECONDS)).isLessThan(64L * 1024 * 1024);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void timeoutIsForTheBodyToo(boolean headers) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try (Receiver receiver = Receiver.answering(exchange -> {
            if (headers) {
                exchange.sendResponseHeaders(200, 0);
                exchange.getResponseBody().write('x');
                exchange.getResponseBody().flush();
            }
            await(end);
        })) {
            data.put("timeout", "300ms");

            assertThatThrownBy(() -> call(receiver.url("/x?key=k")))
                    .hasMessageContaining("GET " + receiver.url("/x") + ": no complete answer within 300ms");
        } finally {
            end.countDown();
        }
    }

    @Test
    void interruptCancelsTheRequest() throws Exception {
        CountDownLatch there = new CountDownLatch(1);
        CompletableFuture<String> cut = new CompletableFuture<>();
        try (Receiver receiver = Receiver.answering(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            there.countDown();
            try {
                while (true) {
                    exchange.getResponseBody().write('x');
                    exchange.getResponseBody().flush();
                    Thread.sleep(5);
                }
            } catch (IOException e) {
                cut.complete("cut");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        })) {
            CompletableFuture<Throwable> failure = new CompletableFuture<>();
            Thread thread = new Thread(() -> {
                try {
                    failure.completeExceptionally(new AssertionError("answered " + call(receiver.url("/"))));
                } catch (Throwable t) {
                    failure.complete(t);
                }
            });
            thread.start();
            await(there);
            thread.interrupt();

            assertThat(failure.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
            assertThat(cut.get(30, TimeUnit.SECONDS)).isEqualTo("cut");
        }
    }

    @Test
    void certificateOfOnesOwnIsTrustedByTrustStoreAlone() throws Exception {
        Path keys = dir.resolve("keys.p12");
        Path pem = dir.resolve("cert.pem");
        KeyStore store = Keystores.selfSigned(keys, "changeit");
        byte[] certificate = store.getCertificate(Keystores.ALIAS).getEncoded();
        Files.writeString(
                pem,
                "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(certificate)
                        + "\n-----END CERTIFICATE-----\n");
        try (Receiver receiver = Receiver.secure(context(store), exchange -> {
            boolean down = exchange.getRequestURI().getPath().equals("/down");
            (down ? Receiver.redirecting(302, "http://localhost:1/") : Receiver.with(200, "safe")).to(exchange);
        })) {
            String url = receiver.url("");
            assertThatThrownBy(() -> call(url + "/"))
                    .hasMessageContaining("no TLS connection")
                    .hasMessageContaining("trust-store");

            data.put("trust-store", pem.toString());
            assertThat(call(url + "/").tail()).isEqualTo("safe");

            data.put("redirects", "follow");
            assertThatThrownBy(() -> call(url + "/down")).hasMessageContaining("from https to http");

            data.put("trust-store", keys.toString());
            Files.writeString(dir.resolve("password"), "wrong-pass");
            data.put("trust-store-password", "${file:" + dir.resolve("password") + "}");
            assertThatThrownBy(() -> call(url + "/"))
                    .hasMessageContaining("the trust store " + keys + " cannot be read")
                    .message()
                    .doesNotContain("wrong-pass");
        }
    }

    @Test
    void hostThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> call("http://no-such-host.invalid/"))
                .hasMessageContaining("GET http://no-such-host.invalid/: the host no-such-host.invalid is not known");
        assertThatThrownBy(() -> call("http://127.0.0.1:1/")).hasMessageContaining("no connection: ");
    }

    private HttpAnswer call(String url) throws Exception {
        data.put("url", url);
        return HttpCaller.call(HttpData.of(data).call(), FIRE);
    }

    private String secretFile() throws IOException {
        return Files.writeString(dir.resolve("secret"), SECRET + "\n").toString();
    }

    private static SSLContext context(KeyStore store) throws Exception {
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, "changeit".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("nothing within " + Duration.ofSeconds(30));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
