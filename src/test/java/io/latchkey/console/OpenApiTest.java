package io.latchkey.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.election.Health;
import io.latchkey.election.ReloadAnswer;
import io.latchkey.election.Time;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.ReloadResult;
import io.latchkey.ledger.Request;
import io.latchkey.metrics.Metrics;
import io.latchkey.view.ActionView;
import io.latchkey.view.ClusterView;
import io.latchkey.view.ConfView;
import io.latchkey.view.FireView;
import io.latchkey.view.JobEntry;
import io.latchkey.view.JobsView;
import io.latchkey.view.OutcomeView;
import io.latchkey.view.Redaction;
import io.latchkey.view.RequestView;
import io.latchkey.view.TimelineView;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.ZNodes;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;

/** The document says what the code does: every path and every field of the one is in the other. */
class OpenApiTest {
    /** The record behind each schema. Who adds a field to one adds it to openapi.json as well. */
    private static final Map<String, Class<?>> RECORDS = Map.ofEntries(
            Map.entry("Leader", ClusterView.Leader.class),
            Map.entry("Instance", ClusterView.Instance.class),
            Map.entry("Cluster", ClusterView.class),
            Map.entry("ClusterAnswer", Api.Cluster.class),
            Map.entry("InstancesAnswer", Api.Instances.class),
            Map.entry("Fire", FireView.class),
            Map.entry("Outcome", OutcomeView.class),
            Map.entry("Trigger", JobsView.Trigger.class),
            Map.entry("Hold", JobsView.Hold.class),
            Map.entry("TriggerConf", ConfView.Trigger.class),
            Map.entry("JobConf", ConfView.class),
            Map.entry("Recent", JobEntry.Recent.class),
            Map.entry("Job", JobEntry.class),
            Map.entry("JobAnswer", JobEntry.class),
            Map.entry("JobsAnswer", JobsQuery.Page.class),
            Map.entry("HistoryAnswer", HistoryQuery.Page.class),
            Map.entry("RunningAnswer", Api.Running.class),
            Map.entry("Request", RequestView.class),
            Map.entry("RequestsAnswer", Api.Requests.class),
            Map.entry("Action", ActionView.class),
            Map.entry("ActionAnswer", Actions.Answered.class),
            Map.entry("AuditAnswer", Api.Audit.class),
            Map.entry("TimelineAnswer", TimelineView.class),
            Map.entry("Term", TimelineView.Term.class),
            Map.entry("Lane", TimelineView.Lane.class),
            Map.entry("Mark", TimelineView.Mark.class),
            Map.entry("Reload", ReloadAnswer.class),
            Map.entry("ReloadResult", ReloadResult.class),
            Map.entry("Changed", Streams.Changed.class),
            Map.entry("Health", HealthChecks.Check.class),
            Map.entry("LeaderAnswer", HealthChecks.Leader.class),
            Map.entry("Problem", Problem.Body.class));

    private final OpenApi document;

    OpenApiTest() throws Exception {
        document = new OpenApi();
    }

    @Test
    void everyRouteIsInTheDocumentAndEveryPathOfTheDocumentIsThere() {
        ScheduledExecutorService unused = Executors.newSingleThreadScheduledExecutor();
        Set<String> routes = new LinkedHashSet<>();
        try {
            Snapshots snapshots = new Snapshots(nowhere(), new Redaction(List.of()), unused, unused, Time.system());
            Console.routes(nowhere(), snapshots, new Actions(nowhere(), snapshots, unused, unused, Time.system()), true)
                    .all()
                    .forEach(route -> routes.add(route.method() + " " + route.path()));
        } finally {
            unused.shutdownNow();
        }
        routes.add("GET " + Front.EVENTS);

        assertThat(document.operations()).containsExactlyInAnyOrderElementsOf(routes);
    }

    @Test
    void everyFieldOfAnAnswerIsInTheDocumentAndNoOther() {
        RECORDS.forEach((name, type) -> assertThat(document.fields(name))
                .as("schema %s of openapi.json, of %s", name, type.getSimpleName())
                .containsExactlyInAnyOrderElementsOf(fields(type)));
    }

    @Test
    void enumerationsAreWhatTheyAreInTheCode() {
        assertThat(constants("OutcomeKind")).isEqualTo(names(Outcome.Kind.values()));
        assertThat(constants("FireState")).isEqualTo(names(FireView.State.values()));
        assertThat(constants("ActionState")).isEqualTo(names(ActionView.State.values()));
        assertThat(constants("RequestKind")).isEqualTo(names(Request.Kind.values()));
    }

    private Set<String> constants(String schema) {
        Set<String> out = new LinkedHashSet<>();
        document.schema(schema).path("enum").forEach(name -> out.add(name.asText()));
        return out;
    }

    private static Set<String> names(Enum<?>[] constants) {
        Set<String> out = new LinkedHashSet<>();
        Arrays.stream(constants).map(Enum::name).forEach(out::add);
        return out;
    }

    /** As Jackson writes them: the components that are not ignored, those of an unwrapped one in its place. */
    private static Set<String> fields(Class<?> type) {
        Set<String> out = new LinkedHashSet<>();
        var config = Json.mapper().getSerializationConfig();
        config.introspect(Json.mapper().constructType(type)).findProperties().forEach(property -> {
            if (property.getAccessor() == null) {
                return;
            }
            if (config.getAnnotationIntrospector().findUnwrappingNameTransformer(property.getAccessor()) == null) {
                out.add(property.getName());
            } else {
                out.addAll(fields(property.getRawPrimaryType()));
            }
        });
        return out;
    }

    private static Sources nowhere() {
        return new Sources(
                new Nobody(),
                new ZNodes("/latchkey"),
                () -> {
                    throw new IllegalStateException("nowhere");
                },
                () -> JobCatalog.of(List.of(), List.of()),
                "nowhere",
                false,
                new Metrics("nobody", "0", Time.system()));
    }

    private record Nobody() implements Self {
        @Override
        public String id() {
            return "nobody";
        }

        @Override
        public Optional<Health> health() {
            return Optional.empty();
        }

        @Override
        public boolean connected() {
            return false;
        }

        @Override
        public boolean leads() {
            return false;
        }
    }
}
