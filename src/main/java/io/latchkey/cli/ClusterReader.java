package io.latchkey.cli;

import io.latchkey.conf.Settings;
import io.latchkey.election.InstanceInfo;
import io.latchkey.election.InstanceRecord;
import io.latchkey.election.LeaderRecord;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.MalformedRecordException;
import io.latchkey.zookeeper.ZNodes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** Reads a {@link ClusterView} from ZooKeeper. Nothing is written, and nothing need exist. */
final class ClusterReader {
    private final ZooKeeper zookeeper;
    private final Settings settings;
    private final String connect;
    private final ZNodes nodes;

    ClusterReader(EnsembleConnection connection, Settings settings) {
        this.zookeeper = connection.zookeeper();
        this.connect = connection.connect();
        this.settings = settings;
        this.nodes = new ZNodes(settings.zookeeper().root());
    }

    /** Connects, reads once, and closes. */
    static ClusterView readOnce(Settings settings) throws CliException, InterruptedException {
        try (EnsembleConnection connection = EnsembleConnection.open(settings, "", EnsembleConnection::ignore)) {
            return new ClusterReader(connection, settings).read();
        }
    }

    /**
     * Reads the present state.
     *
     * @throws CliException if ZooKeeper was lost meanwhile (exit code 3) or keeps us out
     */
    ClusterView read() throws CliException, InterruptedException {
        try {
            // Otherwise a server that lags could tell of a leader of the past.
            sync();
            return view();
        } catch (KeeperException.NoAuthException e) {
            throw new CliException(
                    ExitCode.UNREACHABLE,
                    "ZooKeeper at " + connect + " does not let us read " + e.getPath()
                            + ": check its ACL and zookeeper.auth-file",
                    e);
        } catch (KeeperException e) {
            throw new CliException(
                    ExitCode.UNREACHABLE, "lost ZooKeeper at " + connect + " while reading: " + e.getMessage(), e);
        }
    }

    private ClusterView view() throws KeeperException, InterruptedException {
        List<String> notes = new ArrayList<>();
        if (settings.zookeeper().embedded()) {
            notes.add("The ZooKeeper server is embedded in an instance: for evaluation only.");
        }
        Map<String, InstanceRecord> records = instanceRecords(notes);
        List<Candidate> candidates = candidates();
        ClusterView.Leader leader = leader(candidates, notes);
        List<ClusterView.Instance> instances = new ArrayList<>();
        Map<String, InstanceRecord> outside = new LinkedHashMap<>(records);
        for (int place = 1; place <= candidates.size(); place++) {
            Candidate candidate = candidates.get(place - 1);
            instances.add(instance(candidate.instance(), place, candidate.node(), records.get(candidate.instance())));
            outside.remove(candidate.instance());
        }
        outside.forEach((id, record) -> instances.add(instance(id, null, null, record)));
        differingConf(instances).ifPresent(notes::add);
        return new ClusterView(connect, nodes.root(), settings.zookeeper().embedded(), leader, instances, notes);
    }

    /** A leader is only the owner of the lowest live child, whatever the leader record says. */
    private ClusterView.@Nullable Leader leader(List<Candidate> candidates, List<String> notes)
            throws KeeperException, InterruptedException {
        Node node = get(nodes.leader());
        if (node == null) {
            if (!children(nodes.triggers()).isEmpty()) {
                notes.add(
                        nodes.leader() + " is missing while there are cursors: nobody may lead. Stop all instances and"
                                + " run `latchkey repair`.");
            }
            return null;
        }
        LeaderRecord record;
        try {
            record = Json.read(node.data(), LeaderRecord.class, LeaderRecord.FORMAT, nodes.leader());
        } catch (FormatTooNewException | MalformedRecordException e) {
            notes.add(e.getMessage());
            return null;
        }
        if (candidates.isEmpty()) {
            return null;
        }
        Candidate first = candidates.get(0);
        if (!ZNodes.nameOf(record.latchNode()).equals(first.name())) {
            notes.add(first.instance() + " is first in the latch and has not taken a term yet; the last one, "
                    + record.term() + ", was " + (record.instance().isEmpty() ? "nobody's" : record.instance() + "'s")
                    + ".");
            return null;
        }
        return new ClusterView.Leader(
                record.instance(),
                record.term(),
                record.token(node.stat().getMzxid()),
                record.since(),
                record.latchNode(),
                record.conf());
    }

    private Map<String, InstanceRecord> instanceRecords(List<String> notes)
            throws KeeperException, InterruptedException {
        Map<String, InstanceRecord> records = new LinkedHashMap<>();
        for (String name : new TreeSet<>(children(nodes.instances()))) {
            String path = nodes.instances() + "/" + name;
            Node node = get(path);
            if (node == null) {
                continue;
            }
            try {
                InstanceRecord record = Json.read(node.data(), InstanceRecord.class, InstanceRecord.FORMAT, path);
                records.put(record.instance().id(), record);
            } catch (FormatTooNewException | MalformedRecordException e) {
                notes.add(e.getMessage());
            }
        }
        return records;
    }

    private List<Candidate> candidates() throws KeeperException, InterruptedException {
        List<Candidate> found = new ArrayList<>();
        for (String name : children(nodes.latch())) {
            Node node = get(nodes.latch() + "/" + name);
            if (node != null) {
                String id = new String(node.data(), StandardCharsets.UTF_8);
                found.add(new Candidate(name, nodes.latch() + "/" + name, id.isEmpty() ? name : id));
            }
        }
        found.sort(Comparator.comparing(Candidate::sequence));
        return found;
    }

    private static ClusterView.Instance instance(
            String id, @Nullable Integer place, @Nullable String node, @Nullable InstanceRecord record) {
        if (record == null) {
            return new ClusterView.Instance(id, place, node, "unknown", null, null, null, null, null, null);
        }
        InstanceInfo info = record.instance();
        return new ClusterView.Instance(
                id,
                place,
                node,
                record.role(),
                info.host(),
                info.pid(),
                info.version(),
                info.started(),
                info.conf(),
                record.heartbeat());
    }

    private static Optional<String> differingConf(List<ClusterView.Instance> instances) {
        Map<String, List<String>> byDigest = new LinkedHashMap<>();
        for (ClusterView.Instance instance : instances) {
            String conf = instance.conf();
            if (conf != null) {
                byDigest.computeIfAbsent(conf, digest -> new ArrayList<>()).add(instance.id());
            }
        }
        if (byDigest.size() < 2) {
            return Optional.empty();
        }
        List<String> parts = new ArrayList<>();
        byDigest.forEach((digest, ids) -> parts.add(String.join(", ", ids) + " run " + digest));
        return Optional.of(
                "The instances' jobs differ: " + String.join("; ", parts) + ". Bring every host to the same conf.");
    }

    private void sync() throws KeeperException, InterruptedException {
        AsyncResult.await(callback -> zookeeper.sync("/", callback, null));
    }

    private List<String> children(String path) throws KeeperException, InterruptedException {
        try {
            return zookeeper.getChildren(path, false);
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        }
    }

    private @Nullable Node get(String path) throws KeeperException, InterruptedException {
        Stat stat = new Stat();
        try {
            byte[] data = zookeeper.getData(path, false, stat);
            return new Node(data == null ? new byte[0] : data, stat);
        } catch (KeeperException.NoNodeException e) {
            return null;
        }
    }

    // An array's identity matters to nobody: it is parsed at once.
    @SuppressWarnings("ArrayRecordComponent")
    private record Node(byte[] data, Stat stat) {}

    /** One child of the latch. */
    private record Candidate(String name, String node, String instance) {
        /** What orders candidates: the number ZooKeeper appended. */
        String sequence() {
            return name.substring(name.lastIndexOf('-') + 1);
        }
    }
}
