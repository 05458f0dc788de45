package io.latchkey.metrics;

import io.latchkey.zookeeper.ConnectionEvents.Connection;
import io.latchkey.zookeeper.ZooKeeperClient;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** The connection to ZooKeeper, and how long its quorum takes. */
final class ZooKeeperMetrics {
    private final MeterRegistry registry;
    private final Meters.Each<Connection> events;
    private final Timer writes;

    ZooKeeperMetrics(MeterRegistry registry) {
        this.registry = registry;
        events = Meters.each(
                registry,
                "latchkey.zookeeper.events",
                "What became of the connection; after lost and reconnected the session is another",
                "event",
                Connection.class);
        writes = Meters.timer(
                registry,
                "latchkey.zookeeper.write",
                "From the send of a transaction to the quorum's confirmation",
                Meters.ROUND_TRIP);
    }

    void watch(ZooKeeperClient client) {
        Gauge.builder("latchkey.zookeeper.connected", () -> client.connected() ? 1 : 0)
                .description("1 while a ZooKeeper server is in contact")
                .register(registry);
        client.onWrite(nanos -> writes.record(nanos, TimeUnit.NANOSECONDS));
        client.addListener(events::count);
    }
}
