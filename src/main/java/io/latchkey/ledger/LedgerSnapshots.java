package io.latchkey.ledger;

import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.ZNodes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.zookeeper.data.Stat;
import org.quartz.JobKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the ledger again and again for those who watch it. What has not changed since the last time is not parsed again,
 * and histories, which are large, are not even read again; a record that cannot be read is said once, and left out.
 *
 * <p>One thread at a time.
 */
public final class LedgerSnapshots {
    private static final Logger log = LoggerFactory.getLogger(LedgerSnapshots.class);

    private final ZNodes nodes;
    private Map<String, Parsed> known = Map.of();

    public LedgerSnapshots(ZNodes nodes) {
        this.nodes = nodes;
    }

    /** What a node held, as of a change of it; empty if that was no such record. */
    private record Parsed(long czxid, long mzxid, Optional<Object> record) {
        boolean isOf(Stat stat) {
            return czxid == stat.getCzxid() && mzxid == stat.getMzxid();
        }
    }

    /**
     * Reads it as it is now. Blocks.
     *
     * @throws io.latchkey.zookeeper.FormatTooNewException if a newer version wrote in it
     */
    public LedgerSnapshot read(Session session) throws LedgerException {
        Reads reads = new Reads(session);
        Map<String, Parsed> next = new HashMap<>();
        Reads.Pending<List<Found<byte[]>>> cursorNodes = reads.startGrandchildren(nodes.triggers());
        Reads.Pending<List<Found<byte[]>>> requestNodes = reads.startChildren(nodes.requests());
        Reads.Pending<List<Found<byte[]>>> auditNodes = reads.startChildren(nodes.audit());
        Reads.Pending<List<Found<byte[]>>> termsNode = reads.start(nodes.terms());
        Reads.Pending<List<Found<byte[]>>> pausedNode = reads.start(nodes.paused());
        // Records before histories: one that is folded between the two reads is seen twice, not missed.
        List<Found<byte[]>> recordNodes = reads.startChildren(nodes.running()).get();
        Version runs = new Version().of(recordNodes);
        List<RunningRecord> records = parse(recordNodes, RunningRecord.class, next);
        Version ends = new Version();
        Map<JobKey, List<HistoryEntry>> histories = histories(reads, records, next, ends);
        // After the records: an instance that came meanwhile must not look gone.
        Set<String> live = reads.startChildren(nodes.instances()).get().stream()
                .map(found -> "0x"
                        + Long.toHexString(found.stat().getEphemeralOwner()).toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
        List<Cursor> cursors = parse(cursorNodes.get(), Cursor.class, next);
        Version places = new Version().of(cursorNodes.get()).of(pausedNode.get());
        List<Request> requests = new ArrayList<>();
        for (Found<byte[]> found : requestNodes.get()) {
            parse(found, Request.class, next)
                    .filter(request -> LedgerLoader.isOurs(found.path()))
                    .ifPresent(request -> requests.add(request.named(ZNodes.decode(ZNodes.nameOf(found.path())))));
        }
        requests.sort(Comparator.comparing(Request::at).thenComparing(Request::seq));
        List<AuditRecord> audit = new ArrayList<>(parse(auditNodes.get(), AuditRecord.class, next));
        audit.sort(Comparator.comparing(AuditRecord::at));
        List<TermLog.Terms> terms = parse(termsNode.get(), TermLog.Terms.class, next);
        Version waiting = new Version().of(requestNodes.get());
        List<Paused> paused = parse(pausedNode.get(), Paused.class, next);
        known = next;
        String running = runs.and(live.hashCode()).text();
        String history = ends.text();
        return new LedgerSnapshot(
                cursors,
                records.stream()
                        .filter(record -> record.outcome() == null)
                        .sorted(Comparator.comparing(
                                (RunningRecord r) -> r.current().claimed()))
                        .toList(),
                live,
                new LedgerSnapshot.Asked(paused.isEmpty() ? Paused.NOTHING : paused.get(0), requests, audit),
                terms.isEmpty() ? List.of() : terms.get(0).terms(),
                histories,
                Map.of(
                        "jobs",
                        places.text() + running + history,
                        "running",
                        running,
                        "history",
                        history + running,
                        "requests",
                        waiting.text(),
                        "audit",
                        new Version().of(auditNodes.get()).text() + waiting.text()));
    }

    private Map<JobKey, List<HistoryEntry>> histories(
            Reads reads, List<RunningRecord> records, Map<String, Parsed> next, Version version)
            throws LedgerException {
        List<String> changed = new ArrayList<>();
        Map<JobKey, History> folded = new TreeMap<>();
        for (Found<Stat> found : reads.stats(reads.grandchildren(nodes.history()).stream()
                .filter(LedgerLoader::isOurs)
                .toList())) {
            version.and(found.path(), found.value());
            Parsed parsed = known.get(found.path());
            if (parsed != null && parsed.isOf(found.value())) {
                next.put(found.path(), parsed);
                parsed.record().ifPresent(record -> folded.put(LedgerLoader.jobOf(found.path()), (History) record));
            } else {
                changed.add(found.path());
            }
        }
        for (Found<byte[]> found : reads.getAll(changed)) {
            parse(found, History.class, next)
                    .ifPresent(history -> folded.put(LedgerLoader.jobOf(found.path()), history));
        }
        Map<JobKey, List<RunningRecord>> ended = records.stream()
                .filter(record -> record.outcome() != null)
                .collect(Collectors.groupingBy(RunningRecord::job));
        Map<JobKey, List<HistoryEntry>> out = new TreeMap<>();
        Collection<JobKey> jobs = new TreeSet<>(folded.keySet());
        jobs.addAll(ended.keySet());
        for (JobKey job : jobs) {
            History history = folded.getOrDefault(job, History.EMPTY);
            List<RunningRecord> more = ended.getOrDefault(job, List.of());
            out.put(
                    job,
                    more.isEmpty()
                            ? history.entries()
                            : history.with(more, Integer.MAX_VALUE).entries());
        }
        return out;
    }

    private <T> List<T> parse(List<Found<byte[]>> all, Class<T> type, Map<String, Parsed> next) {
        List<T> out = new ArrayList<>(all.size());
        all.forEach(found -> parse(found, type, next).ifPresent(out::add));
        return out;
    }

    private <T> Optional<T> parse(Found<byte[]> found, Class<T> type, Map<String, Parsed> next) {
        Parsed parsed = known.get(found.path());
        if (parsed == null || !parsed.isOf(found.stat())) {
            Optional<Object> record = Optional.empty();
            try {
                record = Optional.of(LedgerJson.read(found.value(), type, found.path()));
            } catch (IllegalArgumentException e) {
                log.warn(
                        "{} cannot be read ({}) and is not shown; look at it with the ZooKeeper CLI",
                        found.path(),
                        e.getMessage());
            }
            parsed = new Parsed(found.stat().getCzxid(), found.stat().getMzxid(), record);
        }
        next.put(found.path(), parsed);
        return parsed.record().map(type::cast);
    }

    /** A digest of which nodes there are and when each changed last; their order does not matter. */
    private static final class Version {
        private long sum;

        Version of(List<Found<byte[]>> nodes) {
            nodes.forEach(found -> and(found.path(), found.stat()));
            return this;
        }

        void and(String path, Stat stat) {
            and(31L * path.hashCode() + stat.getMzxid());
        }

        Version and(long part) {
            // Mixed, or two changes could cancel each other out in the sum.
            long mixed = (part ^ (part >>> 32)) * 0x9e3779b97f4a7c15L;
            sum += mixed ^ (mixed >>> 29);
            return this;
        }

        String text() {
            return Long.toHexString(sum);
        }
    }
}
