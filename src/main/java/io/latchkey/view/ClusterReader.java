package io.latchkey.view;

import io.latchkey.election.InstanceInfo;
import io.latchkey.election.InstanceRecord;
import io.latchkey.election.LeaderRecord;
import io.latchkey.election.ReloadAnswer;
import io.latchkey.ledger.ConfsLed;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.LedgerReader;
import io.latchkey.ledger.Reads;
import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.MalformedRecordException;
import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.ZNodes;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a {@link ClusterView} from ZooKeeper. Nothing is written, and nothing need exist. */
public final class ClusterReader {
    private final ZNodes nodes;
    private final Reads reads;
    private final String connect;
    private final boolean embedded;

    /**
     * @param connect what {@code session} is connected to, as the view names it
     * @param embedded whether that is an embedded server
     */
    public ClusterReader(ZNodes nodes, Session session, String connect, boolean embedded) {
        this.nodes = nodes;
        this.reads = new Reads(session);
        this.connect = connect;
        this.embedded = embedded;
    }

    /**
     * Reads the present state. Blocks.
     *
     * @throws LedgerException if ZooKeeper was lost meanwhile or keeps us out
     */
    public ClusterView read() throws LedgerException {
        // Otherwise a server that lags could tell of a leader of the past.
        if (!reads.await(reads.session().sync("/"), "the latest state")) {
            throw new LedgerException("ZooKeeper does not answer");
        }
        return view();
    }

    private ClusterView view() throws LedgerException {
        List<String> notes = new ArrayList<>();
        if (embedded) {
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
        for (ClusterView.Instance instance : instances) {
            if (instance.trouble() != null) {
                notes.add(instance.id() + " does not lead (" + instance.role() + "): " + instance.trouble() + ".");
            }
        }
        ClusterView view =
                new ClusterView(connect, nodes.root(), embedded, inForce(leader, records), instances, List.of());
        addConfNotes(view, notes);
        return new ClusterView(connect, nodes.root(), embedded, view.leader(), instances, notes);
    }

    /** What the term was taken with may have been reloaded since: the leader itself knows. */
    private static ClusterView.@Nullable Leader inForce(
            ClusterView.@Nullable Leader leader, Map<String, InstanceRecord> records) {
        InstanceRecord record = leader == null ? null : records.get(leader.instance());
        return leader == null || record == null || record.term() != leader.term()
                ? leader
                : new ClusterView.Leader(
                        leader.instance(),
                        leader.term(),
                        leader.token(),
                        leader.since(),
                        leader.latchNode(),
                        record.instance().conf());
    }

    /** A leader is only the owner of the lowest live child, whatever the leader record says. */
    private ClusterView.@Nullable Leader leader(List<Candidate> candidates, List<String> notes) throws LedgerException {
        Optional<Found<byte[]>> node = reads.get(nodes.leader());
        if (node.isEmpty()) {
            if (!reads.children(nodes.triggers()).isEmpty()) {
                notes.add(
                        nodes.leader() + " is missing while there are cursors: nobody may lead. Stop all instances and"
                                + " run `latchkey repair`.");
            }
            return null;
        }
        LeaderRecord record;
        try {
            record = Json.read(node.get().value(), LeaderRecord.class, LeaderRecord.FORMAT, nodes.leader());
        } catch (FormatTooNewException e) {
            notes.add(e.getMessage() + ". Who leads, `latchkey status` of that version can tell.");
            return null;
        } catch (MalformedRecordException e) {
            notes.add(e.getMessage() + ". Nobody may lead: stop all instances and run `latchkey repair`.");
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
                record.token(node.get().stat().getMzxid()),
                record.since(),
                record.latchNode(),
                record.conf());
    }

    private Map<String, InstanceRecord> instanceRecords(List<String> notes) throws LedgerException {
        Map<String, InstanceRecord> records = new LinkedHashMap<>();
        for (Found<byte[]> node : reads.getAll(reads.childPaths(nodes.instances()))) {
            try {
                InstanceRecord record =
                        Json.read(node.value(), InstanceRecord.class, InstanceRecord.FORMAT, node.path());
                records.put(record.instance().id(), record);
            } catch (FormatTooNewException | MalformedRecordException e) {
                notes.add(e.getMessage() + ".");
            }
        }
        return records;
    }

    private List<Candidate> candidates() throws LedgerException {
        List<Candidate> found = new ArrayList<>();
        for (Found<byte[]> node : reads.getAll(reads.childPaths(nodes.latch()))) {
            String name = ZNodes.nameOf(node.path());
            String id = new String(node.value(), StandardCharsets.UTF_8);
            found.add(new Candidate(name, node.path(), id.isEmpty() ? name : id));
        }
        found.sort(Comparator.comparing(Candidate::sequence));
        return found;
    }

    private static ClusterView.Instance instance(
            String id, @Nullable Integer place, @Nullable String node, @Nullable InstanceRecord record) {
        if (record == null) {
            return new ClusterView.Instance(
                    id, place, node, "unknown", null, null, null, null, null, null, null, null, null);
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
                record.heartbeat(),
                info.console(),
                record.trouble(),
                info.reload());
    }

    /** What an operator should know of the configurations. */
    private void addConfNotes(ClusterView view, List<String> notes) throws LedgerException {
        view.confDrift().ifPresent(notes::add);
        for (ClusterView.Instance instance : view.instances()) {
            ReloadAnswer answer = instance.reload();
            if (answer != null && answer.refused() && !answer.lines().isEmpty()) {
                notes.add(instance.id() + " refused to reload its conf directory at "
                        + answer.at().truncatedTo(ChronoUnit.SECONDS) + " and goes on with "
                        + instance.conf() + ": " + answer.lines().get(0)
                        + (answer.lines().size() == 1
                                ? ""
                                : " (and " + (answer.lines().size() - 1) + " more)"));
            }
        }
        ConfsLed.Led last = new LedgerReader(nodes, reads.session())
                .confsLed()
                .flatMap(ConfsLed::last)
                .orElse(null);
        ClusterView.Leader leader = view.leader();
        if (last != null && leader != null && last.conf().equals(leader.conf()) && last.backFrom() != null) {
            notes.add("The leader runs an older conf: " + last.conf() + " came back at " + last.since() + " (on "
                    + last.instance() + ") after " + last.backFrom() + " had replaced it.");
        }
    }

    /** One child of the latch. */
    private record Candidate(String name, String node, String instance) {
        /** What orders candidates: the number ZooKeeper appended. */
        String sequence() {
            return name.substring(name.lastIndexOf('-') + 1);
        }
    }
}
