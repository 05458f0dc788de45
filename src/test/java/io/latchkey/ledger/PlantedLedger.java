package io.latchkey.ledger;

import io.latchkey.jobs.JobCatalog;
import io.latchkey.jobs.Schedule;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.ZNodes;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.quartz.TriggerKey;

/** A ledger as leaders of the past left it, in the ledger's own format; written before any instance comes. */
public final class PlantedLedger {
    private static final Owner DEAD = new Owner("dead", "deadbeef", 1, 1);

    private final Session session;
    private final ZNodes nodes;
    private final Parents parents = new Parents();

    public PlantedLedger(Session session, ZNodes nodes) throws LedgerException {
        this.session = session;
        this.nodes = nodes;
        // Cursors without a leader's record are a damaged ledger.
        new Repair(session, nodes, Clock.systemUTC()).repair(OptionalLong.of(1));
    }

    /** The cursor of a trigger that was first seen at one instant, and whose slots were claimed up to another. */
    public static Cursor leftAt(TriggerSpec spec, Instant seen, Instant gone) {
        Instant start = spec.schedule().anchor(seen);
        int repeats = spec.schedule() instanceof Schedule.Simple simple ? simple.repeatCount() : -1;
        Cursor first =
                Cursor.first(spec.key(), spec.job(), spec.fingerprint(), new Cursor.Anchor(start, repeats), null);
        long fired = spec.schedule().count(seen, gone, start);
        Instant previous =
                fired == 0 ? null : spec.schedule().latest(gone, start).orElse(null);
        Cursor.Place place =
                new Cursor.Place(spec.schedule().next(gone, start).orElse(null), previous, Math.toIntExact(fired));
        return new Cursor(first.trigger(), first.job(), first.fingerprint(), first.anchor(), place, null);
    }

    /** Every trigger of a configuration, first seen at one instant and fired up to another. */
    public void leftAt(JobCatalog catalog, Instant seen, Instant gone) throws Exception {
        for (TriggerSpec spec : catalog.triggers()) {
            cursor(leftAt(spec, seen, gone));
        }
    }

    public void cursor(Cursor cursor) throws Exception {
        put(nodes.trigger(cursor.trigger().getGroup(), cursor.trigger().getName()), LedgerJson.write(cursor));
    }

    /** What is no cursor at all. */
    public void garbage(TriggerKey trigger) throws Exception {
        put(nodes.trigger(trigger.getGroup(), trigger.getName()), "no cursor".getBytes(StandardCharsets.UTF_8));
    }

    /** A fire that was claimed, and perhaps started, by an instance that is gone. */
    public void claimed(TriggerSpec spec, Instant slot, RunInfo info, int attempt) throws Exception {
        FireId id = new FireId(spec.key(), slot);
        RunningRecord record = RunningRecord.claimed(id, spec.job(), info, new Attempt(attempt, DEAD, "planted", slot));
        put(nodes.running(id.toString()), LedgerJson.write(record));
    }

    private void put(String path, byte[] data) throws Exception {
        parents.ensureOf(path, session);
        Transaction transaction = new Transaction().create(path, data);
        if (!session.commit(transaction).get(30, TimeUnit.SECONDS).isCommitted()) {
            throw new IllegalStateException(path + " could not be planted");
        }
    }

    /** The cursors there are. */
    public List<Cursor> cursors() throws LedgerException {
        return List.copyOf(
                LedgerLoader.ofTerm(nodes, new Reads(session)).cursors().good().values());
    }
}
