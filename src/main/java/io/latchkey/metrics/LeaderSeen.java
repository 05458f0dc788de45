package io.latchkey.metrics;

import io.latchkey.election.LeaderRecord;
import io.latchkey.election.Leadership;
import io.latchkey.election.Time;
import io.latchkey.ledger.Sessions;
import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.MalformedRecordException;
import io.latchkey.zookeeper.NotConnectedException;
import io.latchkey.zookeeper.ReadResult;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.ZNodes;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who leads, as seen from this instance. Of another: its term is the last one taken, and the latch node it was taken under
 * is there. Two reads a second, of which nothing else depends; what ZooKeeper does not answer counts as no leader.
 */
final class LeaderSeen {
    private static final Logger log = LoggerFactory.getLogger(LeaderSeen.class);

    private final ZNodes nodes;
    private final Sessions sessions;
    private final Leadership own;
    private final Time time;
    private @Nullable Timer reads;

    private long countedNanos;
    private long seenNanos;
    private long withoutNanos;
    private @Nullable LeaderRecord last;
    private long terms;
    private long conflicts;
    private boolean asking;

    LeaderSeen(ZNodes nodes, Sessions sessions, Leadership own, Time time) {
        this.nodes = nodes;
        this.sessions = sessions;
        this.own = own;
        this.time = time;
        this.seenNanos = time.nanoTime();
        this.countedNanos = seenNanos;
    }

    void register(MeterRegistry registry) {
        reads = Meters.timer(
                registry, "latchkey.zookeeper.read", "How long it takes to read who leads", Meters.ROUND_TRIP);
        Gauge.builder("latchkey.leaderless", this::leaderless)
                .description("How long this instance has seen no leader; 0 while it sees one")
                .baseUnit("seconds")
                .strongReference(true)
                .register(registry);
        FunctionCounter.builder("latchkey.without.leader", this, LeaderSeen::withoutLeader)
                .description("How long this instance has seen no leader, in all")
                .baseUnit("seconds")
                .register(registry);
        Gauge.builder("latchkey.term", this::term)
                .description("Number of the last term, as this instance saw it")
                .strongReference(true)
                .register(registry);
        FunctionCounter.builder("latchkey.terms.seen", this, LeaderSeen::terms)
                .description("Terms that this instance saw, its own and others'")
                .register(registry);
        FunctionCounter.builder("latchkey.term.conflicts", this, LeaderSeen::conflicts)
                .description("Terms of one number that two took: never, but after a repair by hand")
                .register(registry);
    }

    /** Once a second; returns at once. */
    void look() {
        settle();
        if (ElectionMetrics.leads(own)) {
            present();
        }
        Session session;
        try {
            session = sessions.current();
        } catch (NotConnectedException e) {
            log.trace("Who leads cannot be told now", e);
            return;
        }
        synchronized (this) {
            if (asking) {
                return;
            }
            asking = true;
        }
        long sent = System.nanoTime();
        var unused = session.get(nodes.leader())
                .thenCompose(read -> {
                    Timer timer = reads;
                    if (timer != null && !(read instanceof ReadResult.Failed<?>)) {
                        timer.record(System.nanoTime() - sent, TimeUnit.NANOSECONDS);
                    }
                    Optional<LeaderRecord> record = record(read);
                    record.ifPresent(this::saw);
                    return record.map(LeaderRecord::latchNode)
                            .filter(path -> !path.isEmpty())
                            .map(session::exists)
                            .orElseGet(() -> CompletableFuture.completedFuture(new ReadResult.Missing<>("")));
                })
                .whenComplete((there, failure) -> {
                    if (failure != null) {
                        log.debug("Who leads cannot be told now", failure);
                    } else if (there instanceof ReadResult.Found<?>) {
                        present();
                    }
                    synchronized (this) {
                        asking = false;
                    }
                });
    }

    private Optional<LeaderRecord> record(ReadResult<byte[]> read) {
        if (!(read instanceof ReadResult.Found<byte[]> found)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.read(found.value(), LeaderRecord.class, LeaderRecord.FORMAT, nodes.leader()));
        } catch (FormatTooNewException | MalformedRecordException e) {
            // What it means, the election says.
            log.trace("Who leads cannot be read", e);
            return Optional.empty();
        }
    }

    private synchronized void saw(LeaderRecord record) {
        LeaderRecord before = last;
        if (before == null || before.term() != record.term()) {
            terms++;
        } else if (!before.nonce().equals(record.nonce())) {
            conflicts++;
        }
        last = record;
    }

    private synchronized void settle() {
        long now = time.nanoTime();
        if (leaderlessNanos(now) > 0) {
            withoutNanos += now - (countedNanos - seenNanos > 0 ? countedNanos : seenNanos);
            countedNanos = now;
        }
    }

    private synchronized void present() {
        seenNanos = time.nanoTime();
    }

    /** A leader seen by the last looks is there: they are a second apart, and answered a little later. */
    private long leaderlessNanos(long now) {
        long since = now - seenNanos;
        return since > TimeUnit.SECONDS.toNanos(3) ? since : 0;
    }

    private synchronized double leaderless() {
        return leaderlessNanos(time.nanoTime()) / 1e9;
    }

    private synchronized double withoutLeader() {
        return withoutNanos / 1e9;
    }

    private synchronized double term() {
        LeaderRecord seen = last;
        return seen == null ? 0 : seen.term();
    }

    private synchronized double terms() {
        return terms;
    }

    private synchronized double conflicts() {
        return conflicts;
    }
}
