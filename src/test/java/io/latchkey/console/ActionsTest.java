package io.latchkey.console;

import static io.latchkey.console.Cluster.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.example.jobs.StampJob;
import com.fasterxml.jackson.databind.JsonNode;
import io.latchkey.ServiceInstance;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.ReadResult;
import io.latchkey.zookeeper.Session;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators ask for over HTTP: any instance takes it, the leader does it once, and it is on record. */
class ActionsTest {
    private static final String LATER = ServiceInstance.stampJob(
            "later", "console-later", ServiceInstance.cron("later", "MISFIRE_INSTRUCTION_DO_NOTHING", "0 30 2 1 1 ?"));

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
    void aJobAskedForOnAStandbyRunsOnceHoweverOftenItIsAskedFor() throws Exception {
        int before = StampJob.of("console-wish").size();
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            for (ServiceInstance instance : cluster.instances()) {
                answers.add(CompletableFuture.supplyAsync(() -> trigger(instance, "once-and-no-more")));
            }
        }
        String id = "";
        for (CompletableFuture<HttpResponse<String>> each : answers) {
            HttpResponse<String> answer = each.get(60, TimeUnit.SECONDS);

            assertThat(answer.statusCode()).as(answer.body()).isIn(200, 202);
            JsonNode action = Json.mapper().readTree(answer.body()).path("action");
            assertThat(id).isIn("", action.path("id").asText());
            id = action.path("id").asText();
            assertThat(answer.headers().firstValue("Location")).contains("/api/v1/requests/" + id);
        }
        String place = "/api/v1/requests/" + id;
        patiently().untilAsserted(() -> {
            JsonNode action = cluster.json(cluster.standby(), place).path("action");
            assertThat(action.path("state").asText()).isEqualTo("DONE");
            assertThat(action.path("outcome").asText()).isEqualTo("SUCCEEDED");
            assertThat(action.path("by").asText()).isEqualTo("ann");
        });
        assertThat(StampJob.of("console-wish")).hasSize(before + 1);

        HttpResponse<String> later = trigger(cluster.leader(), "once-and-no-more");

        assertThat(Json.mapper()
                        .readTree(later.body())
                        .path("action")
                        .path("outcome")
                        .asText())
                .isEqualTo("SUCCEEDED");
        assertThat(StampJob.of("console-wish")).hasSize(before + 1);
        assertThat(new OpenApi()
                        .problems(
                                "POST",
                                "/api/v1/actions/trigger",
                                200,
                                Json.mapper().readTree(later.body())))
                .isEmpty();
    }

    @Test
    void aKeyThatWasUsedForAnotherActionIsRefused() throws Exception {
        HttpResponse<String> pause = cluster.act(
                cluster.standby(), "/api/v1/actions/pause", "{\"job\":\"ops.nightly\"}", "Idempotency-Key", "k1");
        HttpResponse<String> resume = cluster.act(
                cluster.standby(), "/api/v1/actions/resume", "{\"job\":\"ops.nightly\"}", "Idempotency-Key", "k1");

        assertThat(pause.statusCode()).isEqualTo(200);
        assertThat(resume.statusCode()).isEqualTo(422);
    }

    @Test
    void pauseAndResumeAreAnsweredSeenEverywhereAndOnRecord() throws Exception {
        HttpResponse<String> paused =
                cluster.act(cluster.standby(), "/api/v1/actions/pause", "{\"trigger\":\"ops.nightly-t\"}");
        assertThat(paused.statusCode()).as(paused.body()).isEqualTo(200);
        JsonNode action = Json.mapper().readTree(paused.body()).path("action");
        assertThat(action.path("state").asText()).isEqualTo("DONE");
        assertThat(action.path("answeredBy").asText())
                .isEqualTo(cluster.leader().id());
        patiently()
                .untilAsserted(() -> assertThat(cluster.json(cluster.standby(), "/api/v1/jobs/ops/nightly")
                                .path("triggers")
                                .path(0)
                                .path("paused")
                                .asBoolean())
                        .isTrue());

        HttpResponse<String> resumed =
                cluster.act(cluster.leader(), "/api/v1/actions/resume", "{\"trigger\":\"ops.nightly-t\"}");
        assertThat(resumed.statusCode()).isEqualTo(200);
        patiently().untilAsserted(() -> {
            HttpResponse<String> audit = cluster.get(cluster.standby(), "/api/v1/audit");
            JsonNode answer = Json.mapper().readTree(audit.body());
            List<String> kinds = new ArrayList<>();
            answer.path("actions").forEach(one -> kinds.add(one.path("kind").asText()));
            assertThat(kinds).contains("RESUME", "PAUSE");
            assertThat(new OpenApi().problems("GET", "/api/v1/audit", 200, answer))
                    .isEmpty();
        });
    }

    @Test
    void resignHandsOverAndSaysWhoAgreed() throws Exception {
        ServiceInstance before = cluster.leader();

        HttpResponse<String> answer = cluster.act(cluster.standby(), "/api/v1/actions/resign", "{}");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(Json.mapper()
                        .readTree(answer.body())
                        .path("action")
                        .path("answeredBy")
                        .asText())
                .isEqualTo(before.id());
        patiently().until(() -> cluster.instances().stream().anyMatch(one -> one.leads() && one != before));
        // The one that handed over said when: not merely when it was last known to lead.
        Session reader = cluster.zookeeper().client().session();
        patiently().until(() -> ended(before.id(), reader));
    }

    @Test
    void aReloadIsAnsweredByEveryInstanceIsOnRecordAndTheJobListFollowsIt() throws Exception {
        Path extra = cluster.conf().resolve("jobs.d/extra.xml");
        try {
            Files.createDirectories(extra.getParent());
            Files.copy(
                    ServiceInstance.conf(cluster.conf().resolve("aside"), LATER).resolve("jobs.xml"), extra);

            HttpResponse<String> answer = cluster.act(
                    cluster.standby(), "/api/v1/actions/reload?wait=30", "{}", "Idempotency-Key", "reload-1");

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            JsonNode action = Json.mapper().readTree(answer.body()).path("action");
            assertThat(action.path("state").asText()).as(answer.body()).isEqualTo("DONE");
            assertThat(outcomes(action)).hasSize(3).containsOnly("applied");
            assertThat(new OpenApi()
                            .problems(
                                    "POST",
                                    "/api/v1/actions/reload",
                                    200,
                                    Json.mapper().readTree(answer.body())))
                    .isEmpty();
            for (ServiceInstance instance : cluster.instances()) {
                // What is in force on this instance, on a standby as well; read again within about a second.
                patiently()
                        .until(() -> cluster.get(instance, "/api/v1/jobs/ops/later")
                                .body()
                                .contains("\"conf\":"));
            }

            Files.writeString(extra, "<broken");
            HttpResponse<String> again = cluster.act(
                    cluster.leader(), "/api/v1/actions/reload?wait=30", "{}", "Idempotency-Key", "reload-1");
            assertThat(Json.mapper().readTree(again.body()).path("action")).isEqualTo(action);
            assertThat(cluster.act(
                                    cluster.leader(),
                                    "/api/v1/actions/reload",
                                    "{\"allowEmpty\":true}",
                                    "Idempotency-Key",
                                    "reload-1")
                            .statusCode())
                    .isEqualTo(422);

            HttpResponse<String> refused = cluster.act(cluster.leader(), "/api/v1/actions/reload?wait=0", "{}");
            assertThat(refused.statusCode()).isIn(200, 202);
            JsonNode filed = Json.mapper().readTree(refused.body()).path("action");
            // Nobody asks for it by its name: the instance that took it puts it on record by itself.
            patiently().untilAsserted(() -> {
                JsonNode audit =
                        cluster.json(cluster.standby(), "/api/v1/audit").path("actions");
                JsonNode recorded = audit.path(0);
                assertThat(recorded.path("id")).isEqualTo(filed.path("id"));
                assertThat(recorded.path("state").asText()).isEqualTo("REFUSED");
                assertThat(recorded.path("by").asText()).isEqualTo("ann");
                assertThat(outcomes(recorded)).hasSize(3).containsOnly("refused");
                assertThat(recorded.path("instances").toString()).contains("extra.xml");
            });
            assertThat(cluster.json(cluster.leader(), "/api/v1/jobs/ops/later").has("conf"))
                    .isTrue();
        } finally {
            Files.deleteIfExists(extra);
        }
        assertThat(cluster.act(cluster.standby(), "/api/v1/actions/reload?wait=30", "{}")
                        .statusCode())
                .isEqualTo(200);
        patiently()
                .untilAsserted(() -> assertThat(cluster.get(cluster.standby(), "/api/v1/jobs/ops/later")
                                .body())
                        .doesNotContain("\"conf\":"));
    }

    private static boolean ended(String instance, Session reader) throws Exception {
        var found = (ReadResult.Found<byte[]>) reader.get("/latchkey/terms").get(10, TimeUnit.SECONDS);
        for (JsonNode term : Json.mapper().readTree(found.value()).path("terms")) {
            if (term.path("instance").asText().equals(instance) && term.hasNonNull("ended")) {
                return true;
            }
        }
        return false;
    }

    private static List<String> outcomes(JsonNode action) {
        List<String> out = new ArrayList<>();
        action.path("instances").forEach(one -> out.add(one.path("outcome").asText()));
        return out;
    }

    @Test
    void whatMakesNoSenseIsNotFiled() throws Exception {
        for (String[] bad : new String[][] {
            {"trigger", "{\"job\":\"ops.none\"}"},
            {"trigger", "{\"job\":\"noname\"}"},
            {"trigger", "{}"},
            {"trigger", "[]"},
            {"trigger", "{\"job\":\"ops.wish\""},
            {"trigger", "{\"job\":1}"},
            {"trigger", "{\"job\":\"ops.wish\",\"data\":{\"a\":1}}"},
            {"trigger", "{\"job\":\"ops.wish\",\"jbo\":1}"},
            {"pause", "{}"},
            {"pause", "{\"job\":\"ops.wish\",\"all\":true}"},
            {"resign", "{\"all\":true}"},
            {"reload", "{\"allowEmpty\":\"yes\"}"},
            {"reload", "{\"job\":\"ops.wish\"}"}
        }) {
            HttpResponse<String> answer = cluster.act(cluster.leader(), "/api/v1/actions/" + bad[0], bad[1]);

            assertThat(answer.statusCode()).as(bad[1]).isIn(400, 404);
            assertThat(Json.mapper().readTree(answer.body()).path("remedy").asText())
                    .isNotEmpty();
        }
    }

    private static HttpResponse<String> trigger(ServiceInstance instance, String key) {
        try {
            return cluster.act(
                    instance,
                    "/api/v1/actions/trigger",
                    "{\"job\":\"ops.wish\",\"data\":{\"note\":\"now\"}}",
                    "Idempotency-Key",
                    key);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
