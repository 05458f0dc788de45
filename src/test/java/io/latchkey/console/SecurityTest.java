package io.latchkey.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.latchkey.ServiceInstance;
import io.latchkey.zookeeper.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What must not work, tried for real. */
class SecurityTest {
    private static final String WISH = "{\"job\":\"ops.wish\"}";
    private static Cluster cluster;

    @TempDir
    Path dir;

    @BeforeAll
    static void start(@TempDir Path dir) throws Exception {
        cluster = new Cluster(dir);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void noTokenOrAWrongOneActsOnNothing() throws Exception {
        for (String[] header : new String[][] {
            {},
            {"Authorization", "Bearer " + Cluster.TOKEN.replace('0', '1')},
            {"Authorization", "Bearer " + Cluster.TOKEN.substring(1)},
            {"Authorization", "Bearer "},
            {"Authorization", "Basic " + Cluster.TOKEN},
            {"Authorization", Cluster.TOKEN},
            {"Cookie", "token=" + Cluster.TOKEN}
        }) {
            for (String action : List.of("trigger", "pause", "resume", "resign", "reload")) {
                HttpResponse<String> answer = cluster.post(cluster.leader(), "/api/v1/actions/" + action, WISH, header);

                assertThat(answer.statusCode()).isEqualTo(401);
                assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
            }
        }
        assertThat(cluster.get(cluster.leader(), "/api/v1/actions/trigger").statusCode())
                .isEqualTo(405);
    }

    @Test
    void tokensThatEverybodyCouldReadAreRefused() throws Exception {
        Path file = Files.writeString(dir.resolve("tokens"), Cluster.TOKEN + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> Tokens.read(file)).hasMessageContaining("chmod 600");

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(Tokens.read(file).operator(Cluster.TOKEN)).contains("operator");

        Files.writeString(file, "ann:short\n");
        assertThatThrownBy(() -> Tokens.read(file))
                .hasMessageContaining("line 1")
                .hasMessageNotContaining("short");
    }

    @Test
    void anOversizedBodyIsRefusedWhetherItSaysItsLengthOrNot() throws Exception {
        String large = "{\"job\":\"" + "x".repeat(Front.MAX_BODY) + "\"}";
        assertThat(cluster.act(cluster.leader(), "/api/v1/actions/trigger", large)
                        .statusCode())
                .isEqualTo(413);

        StringBuilder chunked = new StringBuilder("POST /api/v1/actions/trigger HTTP/1.1\r\nHost: localhost\r\n"
                + "Authorization: Bearer " + Cluster.TOKEN
                + "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
        for (int i = 0; i < 20; i++) {
            chunked.append("1000\r\n").append("x".repeat(0x1000)).append("\r\n");
        }
        assertThat(raw(chunked + "0\r\n\r\n")).startsWith("HTTP/1.1 413");

        String data = "{\"job\":\"ops.wish\",\"data\":{\"a\":\"" + "x".repeat(20_000) + "\"}}";
        assertThat(cluster.act(cluster.leader(), "/api/v1/actions/trigger", data)
                        .statusCode())
                .isEqualTo(413);
    }

    @Test
    void pathTricksLeadNowhere() throws Exception {
        for (String path : List.of(
                "/../../etc/passwd",
                "/..%2f..%2fetc/passwd",
                "/%2e%2e/%2e%2e/etc/passwd",
                "/%252e%252e/etc/passwd",
                "//etc/passwd",
                "/api/v1/jobs/..%2f..%2fx/y",
                "/api/v1//jobs",
                "/api/v1/jobs;x=y",
                "/api/v1/jobs/",
                "/api/v1/cluster%00",
                "/api/v1/%63luster%",
                "/API/V1/CLUSTER",
                "/\\..\\..\\etc",
                "http://elsewhere/api/v1/nothing",
                "*")) {
            String answer = raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");

            assertThat(answer).as(path).matches("(?s)HTTP/1.1 4\\d\\d .*");
            assertThat(answer).doesNotContain("root:", "at io.latchkey", "org.eclipse", "Exception");
        }
    }

    @Test
    void hostileNamesAreFoundAndStayData() throws Exception {
        String name = URLEncoder.encode(Cluster.HOSTILE, StandardCharsets.UTF_8).replace("+", "%20");

        HttpResponse<String> answer = cluster.get(cluster.leader(), "/api/v1/jobs/we.ird/" + name);

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        JsonNode job = Json.mapper().readTree(answer.body());
        assertThat(job.path("name").asText()).isEqualTo(Cluster.HOSTILE);
        HttpResponse<String> run = cluster.act(
                cluster.leader(),
                "/api/v1/actions/trigger",
                Json.mapper()
                        .writeValueAsString(
                                java.util.Map.of("job", job.path("job").asText())));
        assertThat(run.statusCode()).as(run.body()).isEqualTo(200);
    }

    @Test
    void nothingAskedForComesBackAsAHeader() throws Exception {
        for (String path : List.of("/x%0d%0aX-Evil:1", "/api/v1/jobs?q=%0d%0aX-Evil:1", "/api/v1/requests/a%0d%0ab")) {
            assertThat(cluster.get(cluster.leader(), path).headers().map()).doesNotContainKey("x-evil");
        }
        assertThat(raw("GET /leader HTTP/1.1\r\nHost: localhost\r\nX: a\nY\r\n b\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400");
        String split = raw("POST /api/v1/actions/trigger HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
                + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n{}");
        assertThat(split).startsWith("HTTP/1.1 400");
    }

    @Test
    void everyAnswerForbidsWhatAPageDoesNotNeed() throws Exception {
        for (String path : List.of("/leader", "/api/v1/cluster", "/nothing", "/api/v1/jobs?limit=x")) {
            HttpResponse<String> answer = cluster.get(cluster.leader(), path, "Origin", origin(cluster.leader()));

            assertThat(answer.headers().firstValue("Content-Security-Policy").orElse(""))
                    .contains("default-src 'none'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(answer.headers().map().keySet())
                    .noneMatch(header -> header.startsWith("access-control"))
                    .doesNotContain("set-cookie", "server", "x-powered-by");
        }
        String bad = raw("NONSENSE\r\n\r\n");
        assertThat(bad).startsWith("HTTP/1.1 400").contains("\"remedy\"").doesNotContain("Jetty", "<html", "at org.");
        assertThat(raw("OPTIONS /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 405");
        assertThat(raw("TRACE / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .matches("(?s)HTTP/1.1 40[45].*");
    }

    @Test
    void otherNamesForTheLoopbackAddressAndOtherSitesArePutOff() throws Exception {
        for (String host :
                List.of("evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example")) {
            assertThat(raw("GET /api/v1/cluster HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                    .as(host)
                    .startsWith("HTTP/1.1 421");
        }
        for (String host : List.of("localhost", "127.0.0.1:1", "[::1]:8080")) {
            assertThat(raw("GET /api/v1/cluster HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                    .as(host)
                    .startsWith("HTTP/1.1 200");
        }
        assertThat(cluster.act(cluster.leader(), "/api/v1/actions/trigger", WISH, "Origin", "http://evil.example")
                        .statusCode())
                .isEqualTo(403);
        assertThat(cluster.send(cluster.request(
                                        cluster.leader(),
                                        "/api/v1/actions/trigger",
                                        "Authorization",
                                        "Bearer " + Cluster.TOKEN,
                                        "Content-Type",
                                        "text/plain")
                                .POST(java.net.http.HttpRequest.BodyPublishers.ofString(WISH))
                                .build())
                        .statusCode())
                .isEqualTo(415);
    }

    @Test
    @Tag("slow")
    void aRequestThatNeverEndsIsCut() throws Exception {
        try (Socket socket = connect()) {
            // The service's own limit is 10 s between two looks.
            long from = System.nanoTime();
            byte[] start = "GET /leader HTTP/1.1\r\nHost: localhost\r\nX: ".getBytes(StandardCharsets.US_ASCII);
            socket.getOutputStream().write(start);
            assertThatThrownBy(() -> {
                        while (System.nanoTime() - from < Duration.ofSeconds(50).toNanos()) {
                            socket.getOutputStream().write('a');
                            socket.getOutputStream().flush();
                            Thread.sleep(200);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
    }

    private static String origin(ServiceInstance instance) {
        return instance.console().toString();
    }

    private static Socket connect() throws IOException {
        return new Socket(
                InetAddress.getLoopbackAddress(), cluster.leader().console().getPort());
    }

    private static String raw(String request) throws IOException {
        try (Socket socket = connect()) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
            socket.shutdownOutput();
            try (InputStream in = socket.getInputStream()) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }
}
