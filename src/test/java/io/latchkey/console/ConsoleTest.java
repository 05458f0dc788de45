package io.latchkey.console;

import static io.latchkey.console.Cluster.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.latchkey.ServiceInstance;
import io.latchkey.zookeeper.Json;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every instance tells of the cluster, on three of them. */
class ConsoleTest {
    private static Cluster cluster;

    @BeforeAll
    static void start(@TempDir Path dir) throws Exception {
        cluster = new Cluster(dir);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void everyInstanceTellsTheSameOfTheCluster() throws Exception {
        String leader = cluster.leader().id();
        for (ServiceInstance instance : cluster.instances()) {
            JsonNode answer = cluster.json(instance, "/api/v1/cluster");

            assertThat(answer.path("answeredBy").asText()).isEqualTo(instance.id());
            assertThat(answer.path("stale").asBoolean()).isFalse();
            JsonNode told = answer.path("cluster");
            assertThat(told.path("leader").path("instance").asText()).isEqualTo(leader);
            assertThat(told.path("led").asBoolean()).isTrue();
            assertThat(texts(told.path("instances"), "id")).containsExactlyInAnyOrder("a", "b", "c");
            assertThat(texts(told.path("instances"), "console"))
                    .containsExactlyInAnyOrderElementsOf(cluster.instances().stream()
                            .map(each -> each.console().toString())
                            .toList());
        }
        assertThat(texts(cluster.json(cluster.standby(), "/api/v1/instances").path("instances"), "id"))
                .containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void healthAndLeaderFollowAChangeOfLeader() throws Exception {
        ServiceInstance before = cluster.leader();
        for (ServiceInstance instance : cluster.instances()) {
            assertThat(cluster.get(instance, "/health/live").statusCode()).isEqualTo(200);
            assertThat(cluster.get(instance, "/health/ready").statusCode()).isEqualTo(200);
            HttpResponse<String> leader = cluster.get(instance, "/leader");
            assertThat(leader.statusCode()).isEqualTo(instance.equals(before) ? 200 : 404);
        }
        List<String> events = new ArrayList<>();
        HttpResponse<Stream<String>> stream = cluster.http()
                .send(cluster.request(cluster.standby(), "/api/v1/events").build(), BodyHandlers.ofLines());
        Iterator<String> lines = stream.body().iterator();
        String first = clusterVersion(nextChange(lines, events));

        before.resign();
        patiently().until(() -> cluster.instances().stream().anyMatch(one -> one.leads() && one != before));
        String id = cluster.leader().id();
        patiently().untilAsserted(() -> {
            assertThat(cluster.get(cluster.leader(), "/leader").statusCode()).isEqualTo(200);
            assertThat(cluster.get(before, "/leader").statusCode()).isEqualTo(404);
            assertThat(Json.mapper()
                            .readTree(cluster.get(before, "/leader").body())
                            .path("leader")
                            .path("instance")
                            .asText())
                    .isEqualTo(id);
        });
        String then = first;
        while (then.equals(first)) {
            then = clusterVersion(nextChange(lines, events));
        }
        stream.body().close();
    }

    @Test
    void jobsAreFoundSortedAndPaged() throws Exception {
        patiently()
                .until(() -> cluster.json(cluster.standby(), "/api/v1/history?job=ops.tick")
                                .path("total")
                                .asInt()
                        > 0);
        JsonNode all = cluster.json(cluster.standby(), "/api/v1/jobs");
        assertThat(all.path("total").asInt()).isEqualTo(4);

        JsonNode page = cluster.json(cluster.standby(), "/api/v1/jobs?limit=1&offset=1&sort=next");
        assertThat(texts(page.path("jobs"), "job")).containsExactly("ops.nightly");
        assertThat(texts(cluster.json(cluster.leader(), "/api/v1/jobs?q=TICK").path("jobs"), "job"))
                .containsExactly("ops.tick");

        JsonNode tick = cluster.json(cluster.standby(), "/api/v1/jobs/ops/tick");
        assertThat(tick.path("conf").path("triggers").path(0).path("schedule").asText())
                .isEqualTo("every 1s");
        assertThat(tick.path("last").path("kind").asText()).isEqualTo("SUCCEEDED");
        assertThat(tick.path("recent")).isNotEmpty();
        JsonNode nightly = cluster.json(cluster.standby(), "/api/v1/jobs/ops/nightly");
        JsonNode trigger = nightly.path("conf").path("triggers").path(0);
        assertThat(trigger.path("zone").asText()).isEqualTo("UTC");
        assertThat(trigger.path("next")).hasSize(10);
        assertThat(trigger.path("next").path(0).asText()).endsWith("-01-01T02:30:00Z");
    }

    @Test
    void theTimelineHasTheTermsAndTheRuns() throws Exception {
        patiently().untilAsserted(() -> {
            JsonNode timeline = cluster.json(cluster.standby(), "/api/v1/timeline?q=tick");
            JsonNode terms = timeline.path("leadership");
            assertThat(terms).isNotEmpty();
            assertThat(terms.path(terms.size() - 1).path("instance").asText())
                    .isEqualTo(cluster.leader().id());
            assertThat(texts(timeline.path("lanes"), "job")).containsExactly("ops.tick");
            assertThat(texts(timeline.path("lanes").path(0).path("marks"), "kind"))
                    .contains("SUCCEEDED");
        });
        assertThat(cluster.json(cluster.standby(), "/api/v1/timeline?to=2020-01-01T00:00:00Z")
                        .path("lanes"))
                .isEmpty();
    }

    @Test
    void whatHasNotChangedIsNotSentAgain() throws Exception {
        HttpResponse<String> first = cluster.get(cluster.standby(), "/api/v1/jobs?q=nightly");
        String tag = first.headers().firstValue("ETag").orElseThrow();

        assertThat(cluster.get(cluster.standby(), "/api/v1/jobs?q=nightly", "If-None-Match", "\"x\", W/" + tag)
                        .statusCode())
                .isEqualTo(304);
        assertThat(cluster.get(cluster.standby(), "/api/v1/jobs?q=nightly", "If-None-Match", "\"x\"")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void jobDataIsHiddenButForTheKeysThatTheConfigurationShows() throws Exception {
        HttpResponse<String> wish = cluster.get(cluster.leader(), "/api/v1/jobs/ops/wish");

        JsonNode data = Json.mapper().readTree(wish.body()).path("conf").path("data");
        assertThat(data.path("log").asText()).isEqualTo("console-wish");
        assertThat(data.path("password").asText()).isEqualTo("(hidden)");
        assertThat(wish.body()).doesNotContain("s3cret");
    }

    @Test
    void badQuestionsGetARemedy() throws Exception {
        for (String path : List.of(
                "/api/v1/jobs?limit=0",
                "/api/v1/jobs?limit=x",
                "/api/v1/jobs?nonsense=1",
                "/api/v1/jobs?q=a&q=b",
                "/api/v1/jobs?q=%ff",
                "/api/v1/jobs?state=odd",
                "/api/v1/history?from=yesterday",
                "/api/v1/nothing",
                "/api/v1/jobs/ops/none",
                "/page",
                "/page/",
                "/page/../page/app.js",
                "/page/..%2fopenapi.json")) {
            HttpResponse<String> answer = cluster.get(cluster.leader(), path);

            assertThat(answer.statusCode()).as(path).isIn(400, 404);
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
            JsonNode problem = Json.mapper().readTree(answer.body());
            assertThat(problem.path("remedy").asText()).as(path).isNotEmpty();
            assertThat(problem.path("status").asInt()).isEqualTo(answer.statusCode());
        }
    }

    @Test
    void answersAreAsTheDocumentSays() throws Exception {
        OpenApi document = new OpenApi();
        cluster.json(cluster.leader(), "/api/v1/openapi.json");
        Map<String, String> asked = new LinkedHashMap<>();
        for (String path : List.of(
                "/health/live",
                "/health/ready",
                "/leader",
                "/api/v1/cluster",
                "/api/v1/instances",
                "/api/v1/jobs",
                "/api/v1/history",
                "/api/v1/running",
                "/api/v1/timeline",
                "/api/v1/requests")) {
            asked.put(path, path);
        }
        asked.put("/api/v1/jobs/ops/tick", "/api/v1/jobs/{group}/{name}");
        asked.put("/api/v1/jobs/ops/none", "/api/v1/jobs/{group}/{name}");
        asked.put("/api/v1/jobs?limit=x", "/api/v1/jobs");
        asked.put("/api/v1/history?from=x", "/api/v1/history");
        for (Map.Entry<String, String> each : asked.entrySet()) {
            HttpResponse<String> answer = cluster.get(cluster.standby(), each.getKey());

            assertThat(document.problems(
                            "GET",
                            each.getValue(),
                            answer.statusCode(),
                            Json.mapper().readTree(answer.body())))
                    .as(each.getKey())
                    .isEmpty();
            assertThat(cluster.get(cluster.standby(), each.getValue().replaceAll("[{}]", "") + "?no=1")
                            .statusCode())
                    .as("unknown parameter of %s", each.getValue())
                    .isEqualTo(400);
        }
    }

    private static String nextChange(Iterator<String> lines, List<String> seen) {
        while (lines.hasNext()) {
            String line = lines.next();
            seen.add(line);
            if (line.startsWith("data: ")) {
                return line.substring("data: ".length());
            }
        }
        throw new AssertionError("The stream ended: " + seen);
    }

    private static String clusterVersion(String data) throws Exception {
        return Json.mapper().readTree(data).path("versions").path("cluster").asText();
    }

    private static List<String> texts(JsonNode list, String field) {
        List<String> out = new ArrayList<>();
        list.forEach(one -> out.add(one.path(field).asText()));
        return out;
    }
}
