package io.latchkey.console;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.latchkey.ServiceInstance;
import io.latchkey.lifecycle.Closer;
import io.latchkey.testing.TestZooKeeper;
import io.latchkey.zookeeper.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ConditionFactory;

/** Three instances with consoles on one server; once for all tests of a class. */
final class Cluster implements AutoCloseable {
    static final String TOKEN = "0123456789abcdef0123456789abcdef";

    /** Names that would break out of what they are put into. */
    static final String HOSTILE = "a/b %2F<script>alert(1)</script>\"'&\u202e";

    private final Closer closer = new Closer();
    private final HttpClient http = HttpClient.newHttpClient();
    private final TestZooKeeper zookeeper;
    private final Path conf;
    private final List<ServiceInstance> instances = new ArrayList<>();

    Cluster(Path dir) throws Exception {
        this(dir, "");
    }

    /** @param more of what is in the {@code schedule} */
    Cluster(Path dir, String more) throws Exception {
        zookeeper = TestZooKeeper.server();
        closer.push("ZooKeeper", zookeeper);
        conf = ServiceInstance.conf(
                dir.resolve("conf"),
                ServiceInstance.stampJob(
                                "tick",
                                "console-tick",
                                ServiceInstance.every(
                                        "tick", "MISFIRE_INSTRUCTION_SMART_POLICY", Duration.ofSeconds(1)))
                        + ServiceInstance.stampJob(
                                "nightly",
                                "console-nightly",
                                ServiceInstance.cron("nightly", "MISFIRE_INSTRUCTION_FIRE_ONCE_NOW", "0 30 2 1 1 ?"))
                        + """
                        <job><name>wish</name><group>ops</group><description>Only when asked</description>
                         <job-class>com.example.jobs.StampJob</job-class><durability>true</durability>
                         <recover>false</recover><job-data-map>
                         <entry><key>log</key><value>console-wish</value></entry>
                         <entry><key>password</key><value>s3cret-value</value></entry></job-data-map></job>
                        <job><name><![CDATA[%s]]></name><group>we.ird</group>
                         <job-class>com.example.jobs.StampJob</job-class><durability>true</durability>
                         <recover>false</recover>
                         <job-data-map><entry><key>log</key><value>console-x</value></entry></job-data-map></job>
                        """.formatted(HOSTILE)
                        + more);
        Files.writeString(conf.resolve("tokens"), "# operators\nann:" + TOKEN + "\n");
        Files.setPosixFilePermissions(conf.resolve("tokens"), PosixFilePermissions.fromString("rw-------"));
        for (String id : List.of("a", "b", "c")) {
            ServiceInstance instance = ServiceInstance.start(
                    conf,
                    id,
                    zookeeper.connectString(),
                    "http.enabled=true",
                    "http.port=0",
                    "http.token-file=tokens",
                    "http.show-data=lo*");
            instances.add(instance);
            closer.push(id, instance);
        }
        patiently().until(() -> instances.stream().anyMatch(ServiceInstance::leads));
    }

    /** One more, of which nobody has a token; the caller closes it. */
    ServiceInstance withoutTokens(String id) throws Exception {
        return ServiceInstance.start(conf, id, zookeeper.connectString(), "http.enabled=true", "http.port=0");
    }

    static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50));
    }

    List<ServiceInstance> instances() {
        return instances;
    }

    /** The directory that all three read. */
    Path conf() {
        return conf;
    }

    TestZooKeeper zookeeper() {
        return zookeeper;
    }

    ServiceInstance leader() {
        return instances.stream().filter(ServiceInstance::leads).findFirst().orElseThrow();
    }

    ServiceInstance standby() {
        return instances.stream()
                .filter(instance -> !instance.leads())
                .findFirst()
                .orElseThrow();
    }

    HttpResponse<String> get(ServiceInstance from, String path, String... headers) throws Exception {
        return send(request(from, path, headers).build());
    }

    JsonNode json(ServiceInstance from, String path) throws Exception {
        HttpResponse<String> answer = get(from, path);
        if (answer.statusCode() != 200) {
            throw new IOException(path + ": " + answer.statusCode() + " " + answer.body());
        }
        return Json.mapper().readTree(answer.body());
    }

    HttpResponse<String> post(ServiceInstance to, String path, String body, String... headers) throws Exception {
        return send(request(to, path, headers)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build());
    }

    /** A POST of an operator. */
    HttpResponse<String> act(ServiceInstance to, String path, String body, String... headers) throws Exception {
        return send(request(to, path, headers)
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + TOKEN)
                .POST(BodyPublishers.ofString(body))
                .build());
    }

    HttpRequest.Builder request(ServiceInstance to, String path, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(to.console() + path)).timeout(Duration.ofSeconds(30));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return request;
    }

    HttpResponse<String> send(HttpRequest request) throws Exception {
        return http.send(request, BodyHandlers.ofString());
    }

    HttpClient http() {
        return http;
    }

    @Override
    public void close() {
        closer.close();
    }
}
