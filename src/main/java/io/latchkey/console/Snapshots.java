package io.latchkey.console;

import io.latchkey.election.Time;
import io.latchkey.ledger.LedgerSnapshots;
import io.latchkey.view.ClusterReader;
import io.latchkey.view.ClusterView;
import io.latchkey.view.LedgerView;
import io.latchkey.view.Redaction;
import io.latchkey.zookeeper.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What the console knows of the cluster. Who leads, which costs a few reads, is kept apart from the ledger, which may cost
 * thousands: a load balancer that asks for the leader every second must not have the whole of it read.
 */
final class Snapshots {
    private final Cached<ClusterView> cluster;
    private final Cached<LedgerView> ledger;

    Snapshots(Sources sources, Redaction redaction, Executor reads, ScheduledExecutorService timer, Time time) {
        LedgerSnapshots ledgers = new LedgerSnapshots(sources.nodes());
        cluster = new Cached<>(
                "The cluster's state",
                () -> new ClusterReader(
                                sources.nodes(), sources.sessions().current(), sources.connect(), sources.embedded())
                        .read(),
                reads,
                timer,
                time);
        ledger = new Cached<>(
                "The ledger",
                () -> new LedgerView(
                        ledgers.read(sources.sessions().current()),
                        sources.catalog().get(),
                        redaction),
                reads,
                timer,
                time);
    }

    /** Who leads and who stands by. */
    CompletableFuture<Seen<ClusterView>> cluster() {
        return cluster.get();
    }

    /** Who led and who stood by when it was read last, at once; it is read anew for the next who asks. */
    Optional<Seen<ClusterView>> lastCluster() {
        var unused = cluster.get();
        return cluster.last();
    }

    /** Jobs, runs and outcomes. */
    CompletableFuture<Seen<LedgerView>> ledger() {
        return ledger.get();
    }

    /** Changes when the cluster does; a heartbeat is no change. */
    static String version(ClusterView view) {
        return digest(Json.write(view.withoutHeartbeats()));
    }

    /** A short digest. */
    static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    static String digest(String text) {
        return digest(text.getBytes(StandardCharsets.UTF_8));
    }
}
