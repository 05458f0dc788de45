package io.latchkey.election;

import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.Json;
import io.latchkey.zookeeper.MalformedRecordException;
import io.latchkey.zookeeper.ReadFailedException;
import io.latchkey.zookeeper.ReadResult;
import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult;
import io.latchkey.zookeeper.ZNodes;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This instance in one session: its node under {@code instances}, watched, and the session's lease.
 *
 * <p>The node's deletion makes this instance look dead to all others, who then decide its fires: it is treated as the
 * session's loss, though the session may live.
 */
final class Membership {
    private static final Logger log = LoggerFactory.getLogger(Membership.class);

    private final Session session;
    private final Lease lease;
    private final String path;
    private final Consumer<String> whenLost;
    private volatile Optional<String> lost = Optional.empty();
    private volatile boolean unwatched;

    /** @param whenLost told why, on the thread that learns it; must return at once */
    Membership(Session session, Lease lease, ZNodes nodes, String id, Consumer<String> whenLost) {
        this.session = session;
        this.lease = lease;
        this.path = nodes.instance(id);
        this.whenLost = whenLost;
    }

    Session session() {
        return session;
    }

    Lease lease() {
        return lease;
    }

    String path() {
        return path;
    }

    /** Why this membership is over, or empty while it lasts as far as is known here. */
    Optional<String> lost() {
        return lost.isEmpty() && !session.alive() ? Optional.of("session " + session.incarnation() + " is over") : lost;
    }

    /** Ends it. The lease is never valid again: nobody can say how soon others judge this incarnation dead. */
    void lose(String why) {
        if (lost.isEmpty()) {
            lost = Optional.of(why);
            lease.end();
            whenLost.accept(why);
        }
    }

    /** How an attempt to publish ended. */
    sealed interface Published {
        record Done() implements Published {}

        /** Another session holds the node; its record, where it can be read. */
        record Held(long owner, Optional<InstanceRecord> record) implements Published {}

        record Failed(String why) implements Published {}
    }

    /** Creates the node. Blocks for a few round trips. */
    Published publish(InstanceRecord record, Time time) throws InterruptedException {
        byte[] data = Json.write(record);
        long sent = time.nanoTime();
        TxResult result = TermTaker.await(
                session,
                session.commitUntilKnown(
                        new Transaction().create(path, data, CreateMode.EPHEMERAL),
                        Session.readBack(path, this::isOurs),
                        session.timeout()),
                new TxResult.Unknown(TxResult.Cause.TIMEOUT));
        if (result instanceof TxResult.Committed) {
            lease.confirmedWrite(sent);
            watch();
            return new Published.Done();
        }
        if (result instanceof TxResult.Refused refused && refused.reason() == TxResult.Reason.NODE_EXISTS) {
            return holder();
        }
        return new Published.Failed("cannot create " + path + ": " + result);
    }

    private boolean isOurs(byte[] found) {
        return read(found)
                .map(r -> r.incarnation().equals(session.incarnation()))
                .orElse(false);
    }

    private Published holder() throws InterruptedException {
        try {
            Optional<Found<byte[]>> found = await(session.get(path)).found();
            if (found.isEmpty()) {
                return new Published.Failed(path + " went while it was looked at");
            }
            long owner = found.get().stat().getEphemeralOwner();
            if (owner == session.id()) {
                watch();
                return new Published.Done();
            }
            return new Published.Held(owner, read(found.get().value()));
        } catch (ReadFailedException e) {
            log.debug("Cannot read who holds {}", path, e);
            return new Published.Failed("cannot read " + path + ": " + e.getMessage());
        }
    }

    private Optional<InstanceRecord> read(byte[] data) {
        try {
            return Optional.of(Json.read(data, InstanceRecord.class, InstanceRecord.FORMAT, path));
        } catch (FormatTooNewException | MalformedRecordException e) {
            log.debug("The record at {} is not one of ours", path, e);
            return Optional.empty();
        }
    }

    /** Sets the watch on the own node where that has failed before. The leadership thread's, at every look. */
    void tend() {
        if (unwatched && session.connected()) {
            watch();
        }
    }

    private void watch() {
        unwatched = false;
        CompletableFuture<ReadResult<Stat>> there = session.exists(path, event -> {
            if (event.getType() == EventType.NodeDeleted) {
                lose("the own instance node " + path + " was deleted: others take this instance for dead");
            } else if (event.getType() != EventType.None) {
                watch();
            }
        });
        Async.then(there, "watching the own instance node", found -> {
            if (found instanceof ReadResult.Missing<?>) {
                lose("the own instance node " + path + " is gone: others take this instance for dead");
            } else if (found instanceof ReadResult.Failed<?>) {
                unwatched = true;
            }
        });
    }

    /** Writes the own record; asynchronous. What it proves, it tells the lease. */
    CompletableFuture<TxResult> write(InstanceRecord record, Transaction after, Time time) {
        long sent = time.nanoTime();
        Transaction tx = new Transaction().addAll(after).set(path, Json.write(record), Transaction.ANY_VERSION);
        return session.commit(tx).thenApply(result -> {
            if (result instanceof TxResult.Committed) {
                lease.confirmedWrite(sent);
            } else if (result instanceof TxResult.Refused refused
                    && refused.index() == after.size()
                    && refused.reason() == TxResult.Reason.NO_NODE) {
                lose("the own instance node " + path + " is gone: others take this instance for dead");
            } else if (result instanceof TxResult.SessionGone gone) {
                lose(gone.why());
            }
            return result;
        });
    }

    private <T> ReadResult<T> await(CompletableFuture<ReadResult<T>> future) throws InterruptedException {
        return TermTaker.await(session, future, new ReadResult.Failed<>(path, Code.OPERATIONTIMEOUT));
    }
}
