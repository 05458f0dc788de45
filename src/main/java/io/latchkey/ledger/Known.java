package io.latchkey.ledger;

import io.latchkey.zookeeper.ZNodes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.quartz.TriggerKey;

/** What a term knows of the ledger's znodes, from load and from its own writes since. Thread-safe. */
final class Known {
    /** The names of all running records come in one reply, and one of a megabyte costs the connection. */
    static final int MAX_NAME_BYTES = 700 * 1024;

    /** What a name takes in that reply besides itself. */
    private static final int NAME_OVERHEAD = 4;

    private final Map<TriggerKey, Integer> cursorVersions = new ConcurrentHashMap<>();
    private final Map<TriggerKey, Instant> latest;
    private final int runningLimit;
    private final Set<String> running = new HashSet<>();
    private final Set<String> mine = new HashSet<>();
    private int nameBytes;

    /**
     * @param latest the latest slot known to be claimed or skipped, by trigger; outlives the term
     * @param runningLimit how many running records there may be
     */
    Known(Map<TriggerKey, Instant> latest, int runningLimit) {
        this.latest = latest;
        this.runningLimit = runningLimit;
    }

    void cursorVersions(Map<TriggerKey, Integer> all) {
        cursorVersions.putAll(all);
    }

    void cursorVersion(TriggerKey key, int version) {
        cursorVersions.put(key, version);
    }

    void noCursor(TriggerKey key) {
        cursorVersions.remove(key);
    }

    /** Empty where there is no cursor, as far as is known. */
    Optional<Integer> cursorVersion(TriggerKey key) {
        return Optional.ofNullable(cursorVersions.get(key));
    }

    void slot(FireId id) {
        latest.merge(id.trigger(), id.slot(), Known::later);
    }

    void slot(TriggerKey trigger, @Nullable Instant slot) {
        if (slot != null) {
            latest.merge(trigger, slot, Known::later);
        }
    }

    @Nullable
    Instant latest(TriggerKey key) {
        return latest.get(key);
    }

    Map<TriggerKey, Instant> latest() {
        return Map.copyOf(latest);
    }

    private static Instant later(Instant a, Instant b) {
        return a.isAfter(b) ? a : b;
    }

    /** The names of the running records, as they were read. */
    synchronized void running(Collection<String> paths) {
        running.clear();
        nameBytes = 0;
        paths.forEach(this::ran);
        mine.retainAll(running);
    }

    /** A record was written by a claim of this term: whoever writes its outcome in this process says so here. */
    synchronized void claimed(String path) {
        ran(path);
        mine.add(path);
    }

    /** Whether its outcome is heard of without reading it. */
    synchronized boolean isMine(String path) {
        return mine.contains(path);
    }

    /** A record is not as this process left it: it is to be read. */
    synchronized void changed(String path) {
        mine.remove(path);
    }

    /** A record was written. */
    synchronized void ran(String path) {
        if (running.add(path)) {
            nameBytes += bytes(path);
        }
    }

    /** A record was deleted. */
    synchronized void ranNoMore(String path) {
        mine.remove(path);
        if (running.remove(path)) {
            nameBytes -= bytes(path);
        }
    }

    /** Why no further record may be written; empty while one may. */
    synchronized Optional<String> full(int more) {
        if (running.size() + more > runningLimit) {
            return Optional.of("there are " + running.size() + " running records; the limit is " + runningLimit
                    + " (scheduler.running-limit)");
        }
        return nameBytes > MAX_NAME_BYTES
                ? Optional.of("the names of the " + running.size() + " running records take " + nameBytes
                        + " bytes; the limit is " + MAX_NAME_BYTES)
                : Optional.empty();
    }

    private static int bytes(String path) {
        return ZNodes.nameOf(path).getBytes(StandardCharsets.UTF_8).length + NAME_OVERHEAD;
    }
}
