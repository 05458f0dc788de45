package io.latchkey.ledger;

import io.latchkey.election.Term;
import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.ZNodes;
import java.time.Clock;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.quartz.TriggerKey;

/**
 * What the writers of one term share.
 *
 * @param done told of each record known to be DONE, to be folded into the history
 */
record TermWork(
        Term term, ZNodes nodes, Clock clock, FencedWriter writer, Parents parents, Known known, Consumer<Held> done) {

    String cursorPath(TriggerKey key) {
        return nodes.trigger(key.getGroup(), key.getName());
    }

    String runningPath(FireId id) {
        return nodes.running(id.toString());
    }

    /** A new claim of this term, with a nonce of its own. */
    Attempt attempt(int number) {
        Owner owner = new Owner(term.instanceId(), term.incarnation(), term.number(), term.token());
        return new Attempt(number, owner, UUID.randomUUID().toString(), clock.instant());
    }

    /** Adds the write of a cursor, a creation where none is known, and says how to see that it stood. */
    Part.Proof put(Transaction to, Cursor cursor) {
        String path = cursorPath(cursor.trigger());
        byte[] data = LedgerJson.write(cursor);
        Optional<Integer> version = known.cursorVersion(cursor.trigger());
        if (version.isPresent()) {
            to.set(path, data, version.get());
            return Part.holds(path, data, version.get() + 1);
        }
        to.create(path, data);
        return Part.holds(path, data, 0);
    }

    /** Adds the creation of a record, and says how to see that it stood. */
    Part.Proof create(Transaction to, RunningRecord record) {
        String path = runningPath(record.id());
        byte[] data = LedgerJson.write(record);
        to.create(path, data);
        return Part.holds(path, data, 0);
    }

    /** Ends the term for a record of a newer version; for the caller it is a read that failed. */
    LedgerException forbid(FormatTooNewException met) {
        term.forbid(met);
        return new LedgerException(met.getMessage(), met);
    }
}
