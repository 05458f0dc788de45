package io.latchkey.ledger;

import io.latchkey.jobs.Schedule;
import io.latchkey.ledger.Reads.Pending;
import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.ZNodes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.TriggerKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the ledger's znodes. One that holds garbage is reported and left out, the others are untouched by it; one of a
 * newer format is a {@link FormatTooNewException}, because acting on the rest alone could double what it stands for.
 */
final class LedgerLoader {
    private static final Logger log = LoggerFactory.getLogger(LedgerLoader.class);

    private final ZNodes nodes;
    private final Reads reads;
    private final Damaged damaged;

    /** Told of what cannot be read and is left out. */
    @FunctionalInterface
    interface Damaged {
        /**
         * One record, each time it is met.
         *
         * @param why with its path
         * @param cursor whether it is a trigger's cursor
         */
        void found(Found<byte[]> record, String why, boolean cursor);
    }

    LedgerLoader(ZNodes nodes, Reads reads, Damaged damaged) {
        this.nodes = nodes;
        this.reads = reads;
        this.damaged = damaged;
    }

    /** For a leader: what it does about a damaged record is said once for each state of its node. */
    static LedgerLoader ofTerm(ZNodes nodes, Reads reads) {
        Map<String, Integer> said = new ConcurrentHashMap<>();
        return new LedgerLoader(nodes, reads, (record, why, cursor) -> {
            Integer before = said.put(record.path(), record.version());
            if (before == null || before != record.version()) {
                log.error(
                        "{}. {}",
                        why,
                        cursor
                                ? "Its trigger is scheduled anew from now; the others are not touched by it"
                                : "It is left out; look at it with the ZooKeeper CLI, and delete it");
            }
        });
    }

    /**
     * @param good by trigger
     * @param malformed why, by trigger
     * @param versions of all of them, the malformed too
     */
    record Cursors(
            Map<TriggerKey, Cursor> good, Map<TriggerKey, String> malformed, Map<TriggerKey, Integer> versions) {}

    /**
     * All that a term starts from.
     *
     * @param cursors and what is wrong with some
     * @param running the running records
     * @param runningPaths of all of them, the unreadable too
     */
    record Everything(
            Cursors cursors,
            List<Held> running,
            List<String> runningPaths,
            Set<String> live,
            Paused paused,
            Map<JobKey, Map<String, @Nullable Object>> jobData,
            List<Request> requests) {}

    /** Reads everything at once: what it takes is the round trips of the deepest part, not of all parts. */
    Everything everything() throws LedgerException {
        Pending<List<Found<byte[]>>> cursors = reads.startGrandchildren(nodes.triggers());
        Pending<List<Found<byte[]>>> running = reads.startChildren(nodes.running());
        Pending<List<Found<byte[]>>> live = reads.startChildren(nodes.instances());
        Pending<List<Found<byte[]>>> paused = reads.start(nodes.paused());
        Pending<List<Found<byte[]>>> jobData = reads.startGrandchildren(nodes.jobs());
        Pending<List<Found<byte[]>>> requests = reads.startChildren(nodes.requests());
        List<Found<byte[]>> records = running.get();
        return new Everything(
                cursors(cursors.get()),
                held(records),
                records.stream().map(Found::path).toList(),
                incarnations(live.get()),
                paused(paused.get()),
                jobData(jobData.get()),
                requests(requests.get()));
    }

    /** Reads every record there is, and looks at its format alone. */
    void requireKnownFormats() throws LedgerException {
        List<Pending<List<Found<byte[]>>>> parts = List.of(
                reads.startGrandchildren(nodes.triggers()),
                reads.startChildren(nodes.running()),
                reads.start(nodes.paused()),
                reads.startGrandchildren(nodes.jobs()),
                reads.startGrandchildren(nodes.history()),
                reads.startChildren(nodes.requests()));
        for (Pending<List<Found<byte[]>>> part : parts) {
            for (Found<byte[]> found : part.get()) {
                Json.requireKnown(found.value(), LedgerJson.FORMAT, found.path());
            }
        }
    }

    Cursors cursors() throws LedgerException {
        return cursors(reads.startGrandchildren(nodes.triggers()).get());
    }

    private Cursors cursors(List<Found<byte[]>> all) {
        Cursors out = new Cursors(new LinkedHashMap<>(), new LinkedHashMap<>(), new HashMap<>());
        for (Found<byte[]> found : ours(all)) {
            TriggerKey key = new TriggerKey(name(found.path()), name(ZNodes.parentOf(found.path())));
            out.versions().put(key, found.version());
            try {
                out.good().put(key, cursor(key, found));
            } catch (IllegalArgumentException e) {
                damaged.found(found, String.valueOf(e.getMessage()), true);
                out.malformed().put(key, String.valueOf(e.getMessage()));
            }
        }
        return out;
    }

    Optional<Found<byte[]>> rawCursor(TriggerKey key) throws LedgerException {
        return reads.get(nodes.trigger(key.getGroup(), key.getName()));
    }

    static @Nullable Cursor readable(TriggerKey key, Found<byte[]> found) {
        try {
            return cursor(key, found);
        } catch (IllegalArgumentException e) {
            // Said where it is planned anew.
            log.debug("The cursor of trigger {} cannot be read", key, e);
            return null;
        }
    }

    private static Cursor cursor(TriggerKey key, Found<byte[]> found) {
        Cursor cursor = LedgerJson.read(found.value(), Cursor.class, found.path());
        if (!key.equals(cursor.trigger())) {
            throw new IllegalArgumentException(found.path() + " is damaged: it is not the cursor of its trigger");
        }
        if (cursor.anchor().repeatCount() < Schedule.Simple.FOR_EVER
                || cursor.place().timesFired() < 0) {
            throw new IllegalArgumentException(found.path() + " is damaged: it counts less than nothing");
        }
        return cursor;
    }

    List<Held> running() throws LedgerException {
        return running(reads.childPaths(nodes.running()));
    }

    List<Held> running(List<String> paths) throws LedgerException {
        return held(reads.getAll(paths));
    }

    private List<Held> held(List<Found<byte[]>> all) {
        List<Held> out = new ArrayList<>();
        each(RunningRecord.class, all, (found, record) -> {
            if (!found.path().equals(nodes.running(record.id().toString()))) {
                throw new IllegalArgumentException(found.path() + " is damaged: it is the record of " + record.id());
            }
            out.add(new Held(record, found.version()));
        });
        return out;
    }

    private Map<JobKey, Map<String, @Nullable Object>> jobData(List<Found<byte[]>> all) {
        Map<JobKey, Map<String, @Nullable Object>> out = new HashMap<>();
        List<Found<byte[]>> written =
                ours(all).stream().filter(found -> found.value().length > 0).toList();
        each(JobData.class, written, (found, data) -> out.put(jobOf(found.path()), data.values()));
        return out;
    }

    Optional<Map<String, @Nullable Object>> jobData(JobKey job) throws LedgerException {
        List<Map<String, @Nullable Object>> out = new ArrayList<>();
        List<Found<byte[]>> written = reads.get(nodes.job(job.getGroup(), job.getName())).stream()
                .filter(found -> found.value().length > 0)
                .toList();
        each(JobData.class, written, (found, data) -> out.add(data.values()));
        return out.stream().findFirst();
    }

    List<AuditRecord> audit(List<String> paths) throws LedgerException {
        List<AuditRecord> out = new ArrayList<>();
        each(AuditRecord.class, reads.getAll(paths), (found, record) -> out.add(record));
        return out;
    }

    List<Request> requests() throws LedgerException {
        return requests(reads.startChildren(nodes.requests()).get());
    }

    private List<Request> requests(List<Found<byte[]>> all) {
        List<Request> out = new ArrayList<>();
        each(Request.class, ours(all), (found, request) -> out.add(request.named(name(found.path()))));
        // Not by their names: one made with an operator's own key has a name that tells no time.
        out.sort(Comparator.comparing(Request::at).thenComparing(Request::seq));
        return out;
    }

    Optional<Found<byte[]>> rawPaused() throws LedgerException {
        return reads.get(nodes.paused());
    }

    Paused paused() throws LedgerException {
        return paused(rawPaused().stream().toList());
    }

    private Paused paused(List<Found<byte[]>> all) {
        List<Paused> out = new ArrayList<>();
        each(Paused.class, all, (found, paused) -> out.add(paused));
        return out.isEmpty() ? Paused.NOTHING : out.get(0);
    }

    /** Every history there is. */
    Map<JobKey, History> histories() throws LedgerException {
        return histories(jobsIn(reads.grandchildren(nodes.history())));
    }

    Map<JobKey, History> histories(Collection<JobKey> jobs) throws LedgerException {
        Map<JobKey, History> out = new HashMap<>();
        List<String> paths = jobs.stream()
                .map(job -> nodes.history(job.getGroup(), job.getName()))
                .toList();
        each(History.class, reads.getAll(paths), (found, history) -> out.put(jobOf(found.path()), history));
        return out;
    }

    /** By the owner of the ephemeral node: its data may be an older incarnation's, or anyone's. */
    Set<String> liveIncarnations() throws LedgerException {
        return incarnations(reads.startChildren(nodes.instances()).get());
    }

    private static Set<String> incarnations(List<Found<byte[]>> instances) {
        Set<String> out = new HashSet<>();
        for (Found<byte[]> found : instances) {
            out.add("0x" + Long.toHexString(found.stat().getEphemeralOwner()).toLowerCase(Locale.ROOT));
        }
        return out;
    }

    /** The jobs whose nodes these are; what is nobody's is left out. */
    static List<JobKey> jobsIn(Collection<String> paths) {
        return paths.stream()
                .filter(LedgerLoader::isOurs)
                .map(LedgerLoader::jobOf)
                .toList();
    }

    /** Two nodes whose names mean the same, or one whose name means nothing, would stand in the way of the rest. */
    static boolean isOurs(String path) {
        return ZNodes.isEncoded(ZNodes.nameOf(path)) && ZNodes.isEncoded(ZNodes.nameOf(ZNodes.parentOf(path)));
    }

    private List<Found<byte[]>> ours(List<Found<byte[]>> all) {
        List<Found<byte[]>> out = new ArrayList<>(all.size());
        for (Found<byte[]> found : all) {
            if (isOurs(found.path())) {
                out.add(found);
            } else {
                damaged.found(found, found.path() + " has a name that Latchkey never writes", false);
            }
        }
        return out;
    }

    static JobKey jobOf(String path) {
        return new JobKey(name(path), name(ZNodes.parentOf(path)));
    }

    private static String name(String path) {
        return ZNodes.decode(ZNodes.nameOf(path));
    }

    private <T> void each(Class<T> type, List<Found<byte[]>> found, BiConsumer<Found<byte[]>, T> use) {
        for (Found<byte[]> one : found) {
            try {
                use.accept(one, LedgerJson.read(one.value(), type, one.path()));
            } catch (IllegalArgumentException e) {
                damaged.found(one, String.valueOf(e.getMessage()), false);
            }
        }
    }
}
