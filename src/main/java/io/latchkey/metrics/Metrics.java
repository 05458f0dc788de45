package io.latchkey.metrics;

import io.latchkey.election.Leadership;
import io.latchkey.election.Time;
import io.latchkey.ledger.ZooKeeperFireLedger;
import io.latchkey.scheduler.TermScheduler;
import io.latchkey.zookeeper.ZooKeeperClient;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.logging.LogbackMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * All metrics of one instance, and the page that Prometheus scrapes. Parts of the instance are added as they come to be;
 * what is not there yet is not on the page. Thread-safe.
 */
public final class Metrics implements AutoCloseable {
    private static final String PLAIN = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics gc = new JvmGcMetrics();
    private final LogbackMetrics logs = new LogbackMetrics();
    private final Time time;

    /**
     * Measures the virtual machine from now on.
     *
     * @param id of this instance
     * @param version of this build
     */
    public Metrics(String id, String version, Time time) {
        this.time = time;
        Gauge.builder("latchkey.build.info", () -> 1)
                .description("Always 1; says which instance and version this is")
                .tag("id", Labels.clean(id))
                .tag("version", version)
                .tag("java", Runtime.version().toString())
                .register(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        gc.bindTo(registry);
        logs.bindTo(registry);
    }

    /**
     * What a scrape gets.
     *
     * @param type its content type
     */
    public record Page(String type, String body) {}

    /**
     * All there is at this moment; waits for nothing.
     *
     * @param accept what whoever asks can read, as in the header of that name; empty if they do not say
     */
    public Page scrape(Optional<String> accept) {
        String type = accept.filter(given -> given.contains("application/openmetrics-text"))
                        .isPresent()
                ? OPEN
                : PLAIN;
        return new Page(type, registry.scrape(type));
    }

    /** Adds the connection to ZooKeeper. */
    public void watch(ZooKeeperClient client) {
        new ZooKeeperMetrics(registry).watch(client);
    }

    /** Adds what becomes of fires. */
    public void watch(ZooKeeperFireLedger ledger) {
        ledger.listen(new LedgerMetrics(registry));
    }

    /** Adds what runs here. */
    public void watch(TermScheduler scheduler) {
        new SchedulerMetrics(registry, time.clock()).watch(scheduler);
    }

    /**
     * Adds the election, and who leads.
     *
     * @param thread looks once a second; the caller's, who shuts it down
     */
    public void watch(Leadership leadership, ZooKeeperClient client, ScheduledExecutorService thread) {
        new ElectionMetrics(registry).watch(leadership);
        LeaderSeen seen = new LeaderSeen(client.znodes(), client::session, leadership, time);
        seen.register(registry);
        var unused = thread.scheduleWithFixedDelay(seen::look, 0, 1, TimeUnit.SECONDS);
    }

    /** Adds the number of instances whose jobs are others than the leader's. */
    public void watchDrift(IntSupplier differing) {
        Gauge.builder("latchkey.conf.differing.instances", differing::getAsInt)
                .description("Instances that have other jobs than the leader, as this one saw last")
                .strongReference(true)
                .register(registry);
    }

    @Override
    public void close() {
        gc.close();
        logs.close();
        registry.close();
    }
}
