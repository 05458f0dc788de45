package io.latchkey.console;

import io.latchkey.console.Problem.ProblemException;
import io.latchkey.election.Health;
import io.latchkey.election.Role;
import io.latchkey.metrics.Metrics;
import io.latchkey.view.ClusterView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What service managers, load balancers and Prometheus ask. Answered at once from what this instance knows of itself, with ZooKeeper
 * out of reach too.
 */
final class HealthChecks {
    private static final Set<Role> READY = EnumSet.of(Role.STANDBY, Role.TAKING, Role.LEADING, Role.STOPPING);

    private final Self self;
    private final Metrics metrics;
    private final Snapshots snapshots;

    HealthChecks(Self self, Metrics metrics, Snapshots snapshots) {
        this.self = self;
        this.metrics = metrics;
        this.snapshots = snapshots;
    }

    /**
     * The fields of both checks.
     *
     * @param ok whether it passes
     * @param instance who answers
     * @param role its role
     * @param problems why it does not pass; empty if it does
     */
    record Check(boolean ok, String instance, String role, List<String> problems) {}

    /**
     * The fields of /leader.
     *
     * @param instance who answers
     * @param leads whether that one leads
     * @param leader who leads, as far as is known; null for nobody
     */
    record Leader(String instance, boolean leads, ClusterView.@Nullable Leader leader) {}

    void addTo(Routes routes) {
        routes.get("/health/live", this::live)
                .get("/health/ready", this::ready)
                .get("/leader", this::leader)
                .get("/metrics", this::metrics);
    }

    /** Fails where a restart would help: it leads and cannot use it, or its leadership thread is stuck. */
    private CompletableFuture<Answer> live(Call call) throws ProblemException {
        call.only(Set.of());
        return check(self.health().map(Health::failures).orElse(List.of()));
    }

    private CompletableFuture<Answer> ready(Call call) throws ProblemException {
        call.only(Set.of());
        List<String> problems = new ArrayList<>();
        Optional<Health> health = self.health();
        if (!self.connected()) {
            problems.add("Not connected to ZooKeeper");
        }
        if (health.isEmpty()) {
            problems.add("Starting: does not take part in the election yet");
        } else {
            problems.addAll(health.get().problems());
            if (!READY.contains(health.get().role()) && health.get().problems().isEmpty()) {
                problems.add("Cannot lead now: " + health.get().role().text());
            }
        }
        return check(problems);
    }

    private CompletableFuture<Answer> check(List<String> problems) {
        String role = self.health().map(health -> health.role().text()).orElse("starting");
        return CompletableFuture.completedFuture(
                Answer.json(problems.isEmpty() ? 200 : 503, new Check(problems.isEmpty(), self.id(), role, problems)));
    }

    private CompletableFuture<Answer> metrics(Call call) throws ProblemException {
        // Prometheus may be configured to send parameters; none changes what there is.
        Metrics.Page page = metrics.scrape(call.header().apply("Accept"));
        byte[] body = page.body().getBytes(StandardCharsets.UTF_8);
        return CompletableFuture.completedFuture(new Answer(200, page.type(), Map.of(), body));
    }

    private CompletableFuture<Answer> leader(Call call) throws ProblemException {
        call.only(Set.of());
        boolean leads = self.leads();
        ClusterView.Leader leader = snapshots
                .lastCluster()
                .flatMap(seen -> seen.value().currentLeader())
                .orElse(null);
        return CompletableFuture.completedFuture(Answer.json(leads ? 200 : 404, new Leader(self.id(), leads, leader)));
    }
}
