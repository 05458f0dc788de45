package io.latchkey.ledger;

import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.ZNodes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    LedgerLoader(ZNodes nodes, Reads reads) {
        this.nodes = nodes;
        this.reads = reads;
    }

    /**
     * @param good by trigger
     * @param malformed why, by trigger
     * @param versions of all of them, the malformed too
     */
    record Cursors(
            Map<TriggerKey, Cursor> good, Map<TriggerKey, String> malformed, Map<TriggerKey, Integer> versions) {}

    Cursors cursors() throws LedgerException {
        Cursors out = new Cursors(new LinkedHashMap<>(), new LinkedHashMap<>(), new HashMap<>());
        for (Found<byte[]> found : reads.getAll(reads.grandchildren(nodes.triggers()))) {
            TriggerKey key = new TriggerKey(name(found.path()), name(ZNodes.parentOf(found.path())));
            out.versions().put(key, found.version());
            try {
                out.good().put(key, cursor(key, found));
            } catch (IllegalArgumentException e) {
                log.error(
                        "The cursor of trigger {} cannot be read ({}). It is scheduled anew from now; the others are"
                                + " not touched by it",
                        key,
                        e.getMessage());
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
            log.error("The cursor of trigger {} cannot be read; its trigger is planned anew", key, e);
            return null;
        }
    }

    private static Cursor cursor(TriggerKey key, Found<byte[]> found) {
        Cursor cursor = LedgerJson.read(found.value(), Cursor.class, found.path());
        if (!key.equals(cursor.trigger())
                || cursor.job() == null
                || cursor.anchor() == null
                || cursor.place() == null) {
            throw new IllegalArgumentException(found.path() + " holds no cursor of its trigger");
        }
        return cursor;
    }

    List<Held> running() throws LedgerException {
        return running(reads.childPaths(nodes.running()));
    }

    List<Held> running(List<String> paths) throws LedgerException {
        List<Held> out = new ArrayList<>();
        each(RunningRecord.class, reads.getAll(paths), (found, record) -> out.add(new Held(record, found.version())));
        return out;
    }

    Map<JobKey, Map<String, @Nullable Object>> jobData() throws LedgerException {
        Map<JobKey, Map<String, @Nullable Object>> out = new HashMap<>();
        List<Found<byte[]>> written = reads.getAll(reads.grandchildren(nodes.jobs())).stream()
                .filter(found -> found.value().length > 0)
                .toList();
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

    List<Request> requests() throws LedgerException {
        List<Request> out = new ArrayList<>();
        each(
                Request.class,
                reads.getAll(reads.childPaths(nodes.requests())),
                (found, request) -> out.add(request.named(name(found.path()))));
        return out;
    }

    Optional<Found<byte[]>> rawPaused() throws LedgerException {
        return reads.get(nodes.paused());
    }

    Paused paused() throws LedgerException {
        List<Paused> out = new ArrayList<>();
        each(Paused.class, rawPaused().stream().toList(), (found, paused) -> out.add(paused));
        return out.isEmpty() ? Paused.NOTHING : out.get(0);
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
        Set<String> out = new HashSet<>();
        for (Found<byte[]> found : reads.getAll(reads.childPaths(nodes.instances()))) {
            out.add("0x" + Long.toHexString(found.stat().getEphemeralOwner()).toLowerCase(Locale.ROOT));
        }
        return out;
    }

    static JobKey jobOf(String path) {
        return new JobKey(name(path), name(ZNodes.parentOf(path)));
    }

    private static String name(String path) {
        return ZNodes.decode(ZNodes.nameOf(path));
    }

    private static <T> void each(Class<T> type, List<Found<byte[]>> found, BiConsumer<Found<byte[]>, T> use) {
        for (Found<byte[]> one : found) {
            try {
                use.accept(one, LedgerJson.read(one.value(), type, one.path()));
            } catch (IllegalArgumentException e) {
                log.error(
                        "{} cannot be read ({}). It is left out; look at it with the ZooKeeper CLI, and delete it",
                        one.path(),
                        e.getMessage());
            }
        }
    }
}
