package io.latchkey.ledger;

import io.latchkey.zookeeper.ReadResult;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.ZNodes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the ledger for people and tools; needs a connection, but no leader. Blocks; writes nothing. */
public final class LedgerReader {
    private static final Logger log = LoggerFactory.getLogger(LedgerReader.class);

    private final ZNodes nodes;
    private final Reads reads;
    private final LedgerLoader loader;

    /** Leaves out what is damaged: the leader says so. */
    public LedgerReader(ZNodes nodes, Session session) {
        this(nodes, session, what -> log.debug("Left out: {}", what));
    }

    /** @param damaged told, each time it is met, of a record that cannot be read and is left out: which, and what is wrong */
    public LedgerReader(ZNodes nodes, Session session, Consumer<String> damaged) {
        this.nodes = nodes;
        this.reads = new Reads(session);
        this.loader = new LedgerLoader(nodes, reads, (record, why, cursor) -> damaged.accept(why));
    }

    /**
     * One job as the ledger has it.
     *
     * @param job its key
     * @param cursors of its triggers
     * @param running its fires without an outcome
     * @param last its latest outcome; null before the first
     */
    public record JobStatus(
            JobKey job,
            List<Cursor> cursors,
            List<RunningRecord> running,
            @Nullable HistoryEntry last) {}

    /** Every job that the ledger knows, by key. */
    public List<JobStatus> jobs() throws LedgerException {
        Map<JobKey, List<Cursor>> cursors = new TreeMap<>();
        for (Cursor cursor : loader.cursors().good().values()) {
            cursors.computeIfAbsent(cursor.job(), job -> new ArrayList<>()).add(cursor);
        }
        Map<JobKey, List<RunningRecord>> running = new TreeMap<>();
        for (Held held : loader.running()) {
            running.computeIfAbsent(held.record().job(), job -> new ArrayList<>())
                    .add(held.record());
        }
        TreeSet<JobKey> keys = new TreeSet<>(cursors.keySet());
        keys.addAll(running.keySet());
        keys.addAll(LedgerLoader.jobsIn(reads.grandchildren(nodes.history())));
        Map<JobKey, History> histories = loader.histories(keys);
        List<JobStatus> out = new ArrayList<>();
        for (JobKey key : keys) {
            List<RunningRecord> records = running.getOrDefault(key, List.of());
            List<HistoryEntry> past = histories.getOrDefault(key, History.EMPTY).shownWith(records);
            out.add(new JobStatus(
                    key,
                    cursors.getOrDefault(key, List.of()),
                    records.stream().filter(r -> r.outcome() == null).toList(),
                    past.isEmpty() ? null : past.get(past.size() - 1)));
        }
        return out;
    }

    /** A job's outcomes, oldest first, those not folded yet included. */
    public List<HistoryEntry> history(JobKey job) throws LedgerException {
        // Records first: one that is folded between the two reads is seen twice, not missed.
        List<RunningRecord> records = loader.running().stream()
                .map(Held::record)
                .filter(r -> r.job().equals(job))
                .toList();
        return loader.histories(List.of(job)).getOrDefault(job, History.EMPTY).shownWith(records);
    }

    /** Every job's outcomes, oldest first, those not folded yet included. */
    public Map<JobKey, List<HistoryEntry>> histories() throws LedgerException {
        Map<JobKey, List<RunningRecord>> records = new TreeMap<>();
        for (Held held : loader.running()) {
            records.computeIfAbsent(held.record().job(), job -> new ArrayList<>())
                    .add(held.record());
        }
        TreeSet<JobKey> keys = new TreeSet<>(records.keySet());
        keys.addAll(LedgerLoader.jobsIn(reads.grandchildren(nodes.history())));
        Map<JobKey, History> histories = loader.histories(keys);
        Map<JobKey, List<HistoryEntry>> out = new TreeMap<>();
        keys.forEach(key -> out.put(
                key, histories.getOrDefault(key, History.EMPTY).shownWith(records.getOrDefault(key, List.of()))));
        return out;
    }

    /** The incarnations that live now: a fire of another one waits for a leader to decide it. */
    public Set<String> liveIncarnations() throws LedgerException {
        return loader.liveIncarnations();
    }

    /** Whether a request still waits for its answer. */
    public boolean waits(String seq) throws LedgerException {
        return reads.get(nodes.request(seq)).isPresent();
    }

    /** The fires without an outcome, oldest claim first. */
    public List<RunningRecord> running() throws LedgerException {
        return loader.running().stream()
                .map(Held::record)
                .filter(r -> r.outcome() == null)
                .sorted(Comparator.comparing((RunningRecord r) -> r.current().claimed()))
                .toList();
    }

    /** Which configurations have led; empty where nobody has put one on record. */
    public Optional<ConfsLed> confsLed() throws LedgerException {
        Optional<ReadResult.Found<byte[]>> found = reads.get(nodes.confs());
        try {
            return found.map(there -> LedgerJson.read(there.value(), ConfsLed.class, nodes.confs()));
        } catch (IllegalArgumentException | io.latchkey.zookeeper.FormatTooNewException e) {
            throw new LedgerException(String.valueOf(e.getMessage()), e);
        }
    }

    /** What operators paused. */
    public Paused paused() throws LedgerException {
        return loader.paused();
    }

    /** What operators asked for, the oldest first; those that cannot be read left out. */
    public List<AuditRecord> audit() throws LedgerException {
        List<AuditRecord> out = new ArrayList<>(loader.audit(reads.childPaths(nodes.audit())));
        out.sort(Comparator.comparing(AuditRecord::at));
        return out;
    }

    /** What became of one request, if it is on record. */
    public Optional<AuditRecord> audit(String seq) throws LedgerException {
        return loader.audit(List.of(nodes.audit(seq))).stream().findFirst();
    }

    /** The requests that wait for a leader. */
    public List<Request> requests() throws LedgerException {
        return loader.requests();
    }
}
