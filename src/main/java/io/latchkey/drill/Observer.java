package io.latchkey.drill;

import io.latchkey.conf.ConnectString;
import io.latchkey.conf.ZooKeeperSettings;
import io.latchkey.election.LeaderRecord;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.LedgerReader;
import io.latchkey.ledger.RunningRecord;
import io.latchkey.lifecycle.Threads;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.MalformedRecordException;
import io.latchkey.zookeeper.NotConnectedException;
import io.latchkey.zookeeper.ReadFailedException;
import io.latchkey.zookeeper.ReadResult;
import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.SetupException;
import io.latchkey.zookeeper.ZNodes;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the ensemble again and again, past the wires, and keeps what the checks need: the histories are rings and
 * forget. Thread-safe. What it sees is never older than when it began to look, since each look starts with a sync.
 */
class Observer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Observer.class);
    private static final Duration EVERY = Duration.ofMillis(300);
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final ZNodes nodes = new ZNodes("/latchkey");
    private final ZooKeeperClient client;
    private final ScheduledExecutorService executor;
    private @Nullable ScheduledFuture<?> looking;
    private final Map<String, Sightings.Incarnation> incarnations = new LinkedHashMap<>();
    private final List<Sightings.LeaderSeen> leaders = new ArrayList<>();
    private final Set<Decision> decisions = new LinkedHashSet<>();
    private final Map<String, Instant> firstNext = new HashMap<>();
    private volatile Snapshot snapshot = Snapshot.NOTHING;
    /** Digest of the leader's jobs, of the look that is on; used by its thread alone. */
    private String conf = "";

    Observer(Ensemble ensemble, Threads threads) throws DrillException {
        ConnectString connect = ConnectString.parse(ensemble.connectString());
        ZooKeeperSettings settings = new ZooKeeperSettings(
                connect,
                false,
                nodes.root(),
                Duration.ofSeconds(10),
                Duration.ofSeconds(3),
                false,
                Optional.empty(),
                Optional.empty());
        try {
            client = ZooKeeperClient.start(settings);
        } catch (SetupException e) {
            throw new DrillException("the drill's own ZooKeeper client does not start: " + e.getMessage(), e);
        }
        executor = threads.scheduled("observer");
    }

    /** Begins to look. */
    final void start() {
        looking = executor.scheduleWithFixedDelay(this::look, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    final ZNodes nodes() {
        return nodes;
    }

    /** What was seen last. */
    final Snapshot snapshot() {
        return snapshot;
    }

    /** Deletes a node by hand; false if it is not there. */
    // Curator declares Exception.
    @SuppressWarnings("PMD.AvoidCatchingGenericException")
    final boolean delete(String path) throws DrillException, InterruptedException {
        try {
            client.curator().delete().forPath(path);
            return true;
        } catch (InterruptedException e) {
            throw e;
        } catch (org.apache.zookeeper.KeeperException.NoNodeException e) {
            log.debug("Nothing to delete at {}", path, e);
            return false;
        } catch (Exception e) {
            throw new DrillException("cannot delete " + path + ": " + e, e);
        }
    }

    /** The path of the first candidate's latch node, with its instance; read now. */
    final Optional<Map.Entry<String, String>> firstCandidate() throws DrillException {
        try {
            return candidates(client.session()).stream()
                    .findFirst()
                    .map(first -> Map.entry(first.path(), first.instance()));
        } catch (NotConnectedException | ReadFailedException | TimeoutException e) {
            throw new DrillException("the latch cannot be read: " + e, e);
        }
    }

    /** What became of the fires, as far as the service tells. */
    List<Decision> decisions() throws DrillException {
        synchronized (this) {
            return List.copyOf(decisions);
        }
    }

    final synchronized List<Sightings.Incarnation> incarnations() {
        return List.copyOf(incarnations.values());
    }

    final synchronized List<Sightings.LeaderSeen> leaders() {
        return List.copyOf(leaders);
    }

    /** By trigger, the first slot its cursor was seen at. */
    final synchronized Map<String, Instant> firstNext() {
        return Map.copyOf(firstNext);
    }

    private void look() {
        try {
            Session session = client.session();
            // Before the sync: what is seen then was surely there at that time, or came later.
            Instant at = Instant.now();
            if (!await(session.sync("/"))) {
                return;
            }
            Snapshot seen = see(session, at);
            synchronized (this) {
                seen.sessions()
                        .forEach((instance, id) -> incarnations.merge(
                                id,
                                new Sightings.Incarnation(instance, id, seen.at(), seen.at()),
                                (old, now) -> new Sightings.Incarnation(instance, id, old.firstSeen(), seen.at())));
                seen.next().forEach(firstNext::putIfAbsent);
            }
            snapshot = seen;
        } catch (NotConnectedException
                | LedgerException
                | ReadFailedException
                | TimeoutException
                | MalformedRecordException e) {
            log.debug("Nothing seen this time", e);
        }
    }

    /** One look, begun at that time. */
    Snapshot see(Session session, Instant at) throws LedgerException, ReadFailedException, TimeoutException {
        Map<String, String> sessions = sessions(session);
        Optional<Sightings.LeaderSeen> leader = leader(session);
        LedgerReader reader = new LedgerReader(nodes, session);
        Map<String, Instant> next = new HashMap<>();
        List<RunningRecord> running = new ArrayList<>();
        for (LedgerReader.JobStatus job : reader.jobs()) {
            running.addAll(job.running());
            for (Cursor cursor : job.cursors()) {
                Instant due = cursor.next();
                if (due != null) {
                    next.put(cursor.trigger().getName(), due);
                }
            }
        }
        List<Decision> decided = reader.histories().values().stream()
                .flatMap(List::stream)
                .map(Decision::of)
                .toList();
        synchronized (this) {
            decisions.addAll(decided);
        }
        return new Snapshot(at, leader, conf, sessions, next, running);
    }

    private Map<String, String> sessions(Session session) throws ReadFailedException, TimeoutException {
        Map<String, String> sessions = new HashMap<>();
        Optional<Found<List<String>>> children =
                await(session.children(nodes.instances())).found();
        if (children.isPresent()) {
            for (ReadResult<byte[]> read : await(session.getAll(children.get().value().stream()
                    .map(name -> nodes.instances() + "/" + name)
                    .toList()))) {
                read.found()
                        .ifPresent(found -> sessions.put(
                                ZNodes.decode(ZNodes.nameOf(found.path())),
                                hex(found.stat().getEphemeralOwner())));
            }
        }
        return sessions;
    }

    private Optional<Sightings.LeaderSeen> leader(Session session) throws ReadFailedException, TimeoutException {
        conf = "";
        Optional<Found<byte[]>> found = await(session.get(nodes.leader())).found();
        if (found.isEmpty()) {
            return Optional.empty();
        }
        LeaderRecord record = Json.read(found.get().value(), LeaderRecord.class, LeaderRecord.FORMAT, nodes.leader());
        Sightings.LeaderSeen seen = new Sightings.LeaderSeen(
                Instant.now(),
                record.instance(),
                record.term(),
                record.token(found.get().stat().getMzxid()));
        note(seen);
        boolean holdsLatch = candidates(session).stream()
                .findFirst()
                .filter(first -> record.latchNode().endsWith(ZNodes.nameOf(first.path())))
                .isPresent();
        conf = holdsLatch ? record.conf() : "";
        return holdsLatch ? Optional.of(seen) : Optional.empty();
    }

    /** Notes who leads, if that is news. */
    final synchronized void note(Sightings.LeaderSeen seen) {
        Sightings.LeaderSeen last = leaders.isEmpty() ? null : leaders.get(leaders.size() - 1);
        if (last == null || last.term() != seen.term() || last.token() != seen.token()) {
            leaders.add(seen);
        }
    }

    /**
     * One that stands in the latch.
     *
     * @param path of its latch node
     * @param made the transaction that made it
     * @param session whose it is, in hex
     */
    record Candidate(String path, String instance, long made, String session) {}

    /** Those in the latch, in order. */
    final List<Candidate> candidates(Session session) throws ReadFailedException, TimeoutException {
        Optional<Found<List<String>>> children =
                await(session.children(nodes.latch())).found();
        List<Candidate> out = new ArrayList<>();
        if (children.isPresent()) {
            List<String> paths = children.get().value().stream()
                    .sorted(Comparator.comparing(name -> name.substring(name.lastIndexOf('-') + 1)))
                    .map(name -> nodes.latch() + "/" + name)
                    .toList();
            for (ReadResult<byte[]> read : await(session.getAll(paths))) {
                read.found()
                        .ifPresent(found -> out.add(new Candidate(
                                found.path(),
                                new String(found.value(), StandardCharsets.UTF_8),
                                found.stat().getCzxid(),
                                hex(found.stat().getEphemeralOwner()))));
            }
        }
        return out;
    }

    private static String hex(long session) {
        return "0x" + Long.toHexString(session);
    }

    private static <T> T await(CompletableFuture<T> future) throws TimeoutException {
        try {
            return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while looking", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a read that never throws has thrown", e);
        }
    }

    @Override
    public final void close() {
        ScheduledFuture<?> task = looking;
        if (task != null) {
            task.cancel(false);
        }
        // A look that is on ends by itself.
        Threads.stop("looking at the ensemble", executor, PATIENCE.multipliedBy(2));
        client.close();
    }
}
