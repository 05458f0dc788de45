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
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a term: the one write that makes a leader. Blocks the calling thread for a few round trips, at most a few session
 * timeouts. Remembers the highest term this process has heard of, so that numbers and tokens go on rising even over an
 * ensemble that came back without its data.
 */
public final class TermTaker {
    private static final Logger log = LoggerFactory.getLogger(TermTaker.class);

    private final ZNodes nodes;
    private final Time time;
    private Known known = new Known(0, 0);
    private @Nullable Session followed;

    public TermTaker(ZNodes nodes, Time time) {
        this.nodes = nodes;
        this.time = time;
    }

    /** The highest term heard of, and its token; zeros for none. */
    private record Known(long term, long token) {
        Known and(long otherTerm, long otherToken) {
            return new Known(Math.max(term, otherTerm), Math.max(token, otherToken));
        }
    }

    /** How an attempt ended. */
    public sealed interface Result {
        /**
         * Leads from now on.
         *
         * @param sentNanos from before the write was sent; it was confirmed
         */
        record Taken(Tenure tenure, long sentNanos) implements Result {}

        /** The own latch node or instance node is not there, or the session is over. */
        record Lost(String why) implements Result {}

        /** The latch is held, but the term could not be taken: another's write came between, or the outcome stayed unknown. */
        record Stalled(String why) implements Result {}

        /** What is in ZooKeeper forbids leading until a person has acted. */
        record Blocked(String obstacle) implements Result {}
    }

    /**
     * Why no term may be taken now, whoever holds the latch; empty if nothing forbids it.
     *
     * @throws ReadFailedException if it cannot be told
     */
    public Optional<String> obstacle(Session session) throws ReadFailedException, InterruptedException {
        return look(session).obstacle();
    }

    /** Whether a record that was found to be of a newer version is so still. */
    boolean isStillNewer(Session session, FormatTooNewException met) throws ReadFailedException, InterruptedException {
        Optional<Found<byte[]>> found = await(session, session.get(met.path())).found();
        try {
            found.ifPresent(there -> Json.requireKnown(there.value(), met.known(), met.path()));
            return false;
        } catch (FormatTooNewException e) {
            log.debug("Still of a newer version", e);
            return true;
        }
    }

    /** What a person is to do about a record of a newer version. */
    static String advice(FormatTooNewException met) {
        return met.getMessage()
                + ". Upgrade this instance: it joins by itself when it knows the format, or when the record is gone."
                + " To go back to the older version instead, stop all instances and import what bin/latchkey ledger"
                + " export wrote before the upgrade into an empty zookeeper.root";
    }

    /** Hears of others' terms while this session lasts; asynchronous. The leadership thread's. */
    public void follow(Session session) {
        if (!session.equals(followed)) {
            followed = session;
            look(session, nodes.leader());
        }
    }

    private void look(Session session, String path) {
        // An exists-watch, unlike one of a read, also hears of a node's creation.
        CompletableFuture<ReadResult<Stat>> there = session.exists(path, event -> {
            if (event.getType() != EventType.None) {
                look(session, path);
            }
        });
        Async.then(there, "following " + path, unused -> {});
        Async.then(session.get(path), "following " + path, read -> {
            if (read instanceof Found<byte[]> found) {
                try {
                    remember(Json.read(found.value(), LeaderRecord.class, LeaderRecord.FORMAT, path), found.stat());
                } catch (FormatTooNewException | MalformedRecordException e) {
                    log.debug("Nothing to remember of {}", path, e);
                }
            }
        });
    }

    private void remember(LeaderRecord record, Stat stat) {
        remember(record.term(), record.token(stat.getMzxid()));
    }

    private synchronized void remember(long term, long token) {
        known = known.and(term, token);
    }

    private synchronized Known known() {
        return known;
    }

    /**
     * Tries once.
     *
     * @param latchNode full path of the own latch node, believed to be the lowest
     * @param who is about to lead
     */
    public Result take(Session session, String latchNode, InstanceInfo who) throws InterruptedException {
        try {
            Optional<Found<Stat>> candidate =
                    await(session, session.exists(latchNode)).found();
            if (candidate.isEmpty()) {
                return new Result.Lost("the own latch node " + latchNode + " is gone");
            }
            if (candidate.get().value().getEphemeralOwner() != session.id()) {
                return new Result.Lost("the latch node " + latchNode + " belongs to another session");
            }
            View view = look(session);
            if (view.obstacle().isPresent()) {
                return new Result.Blocked(view.obstacle().get());
            }
            return write(session, latchNode, who, view);
        } catch (ReadFailedException e) {
            return session.alive()
                    ? new Result.Stalled("reading failed: " + e.getMessage())
                    : new Result.Lost("the session is over");
        }
    }

    private Result write(Session session, String latchNode, InstanceInfo who, View view) throws InterruptedException {
        Optional<LeaderRecord> last = view.record();
        Instant since = time.now();
        String nonce = UUID.randomUUID().toString();
        Known highest = known();
        // Zero as floor where no term is known: the transaction's own id is above it.
        long floor = highest.token() == 0 ? 0 : highest.token() + 1;
        long number = highest.term() + 1;
        LeaderRecord mine =
                new LeaderRecord(LeaderRecord.FORMAT, who.id(), number, floor, latchNode, since, nonce, who.conf());
        byte[] data = Json.write(mine);
        Transaction tx = new Transaction()
                .check(latchNode, Transaction.ANY_VERSION)
                .check(nodes.instance(who.id()), Transaction.ANY_VERSION);
        if (last.isEmpty()) {
            // The set tells the transaction's id, which a creation does not.
            tx.create(nodes.leader(), data).set(nodes.leader(), data, 0);
        } else {
            tx.set(nodes.leader(), data, view.version());
        }
        int version = last.isEmpty() ? 1 : view.version() + 1;
        Predicate<byte[]> ours = found -> isNonce(found, nonce);
        long sent = time.nanoTime();
        TxResult result = await(
                session,
                session.commitUntilKnown(tx, Session.readBack(nodes.leader(), ours), session.timeout()),
                new TxResult.Unknown(TxResult.Cause.TIMEOUT));
        if (result instanceof TxResult.Committed done) {
            long token = mine.token(done.zxid());
            remember(number, token);
            sayIfDataWereLost(last, highest);
            return new Result.Taken(new Tenure(number, token, version, latchNode, who.id(), since), sent);
        }
        if (result instanceof TxResult.Refused refused) {
            return switch (refused.index()) {
                case 0 -> new Result.Lost("the own latch node " + latchNode + " is gone");
                case 1 -> new Result.Lost("the own instance node " + nodes.instance(who.id()) + " is gone");
                default ->
                    new Result.Stalled(
                            nodes.leader() + " was changed meanwhile, or cannot be written (" + refused.reason() + ")");
            };
        }
        return result instanceof TxResult.SessionGone gone
                ? new Result.Lost(gone.why())
                : new Result.Stalled("it stayed unknown whether the write of " + nodes.leader() + " was applied");
    }

    /** Said by the one that takes the first term after it; the next finds a record that is new enough. */
    private void sayIfDataWereLost(Optional<LeaderRecord> last, Known highest) {
        long found = last.map(LeaderRecord::term).orElse(0L);
        if (found < highest.term()) {
            log.warn(
                    "ZooKeeper came back without what this service had written there: term {} was the last known"
                            + " here, and {} had {}. Triggers whose cursors are lost start anew from now, and nothing"
                            + " they missed is caught up; the history is lost too. Terms go on from {}. Look for what"
                            + " became of the servers' data directories",
                    highest.term(),
                    nodes.leader(),
                    found == 0 ? "none" : "term " + found,
                    highest.term() + 1);
        }
    }

    private boolean isNonce(byte[] found, String nonce) {
        try {
            return Json.read(found, LeaderRecord.class, LeaderRecord.FORMAT, nodes.leader())
                    .nonce()
                    .equals(nonce);
        } catch (FormatTooNewException | MalformedRecordException e) {
            // Whatever it is, we did not write it.
            return false;
        }
    }

    /** What was found at {@code /leader}: a record, or none, or a reason not to go on. */
    private record View(Optional<LeaderRecord> record, int version, Optional<String> obstacle) {
        static View blocked(String why) {
            return new View(Optional.empty(), -1, Optional.of(why));
        }
    }

    private View look(Session session) throws ReadFailedException, InterruptedException {
        // In this order: cursors are only written once /leader is there, so cursors seen first prove that it was.
        boolean cursors = await(session, session.children(nodes.triggers()))
                .found()
                .map(Found::value)
                .filter(names -> !names.isEmpty())
                .isPresent();
        Optional<Found<byte[]>> found =
                await(session, session.get(nodes.leader())).found();
        if (found.isEmpty()) {
            return cursors
                    ? View.blocked(nodes.leader() + " is missing, but cursors of triggers exist under "
                            + nodes.triggers()
                            + ": a new one would start again at version 0, and claims of an old leader"
                            + " could pass. No instance leads until a person has stopped all of them and run:"
                            + " bin/latchkey repair")
                    : new View(Optional.empty(), -1, Optional.empty());
        }
        try {
            LeaderRecord record =
                    Json.read(found.get().value(), LeaderRecord.class, LeaderRecord.FORMAT, nodes.leader());
            Stat stat = found.get().stat();
            remember(record, stat);
            return new View(Optional.of(record), stat.getVersion(), Optional.empty());
        } catch (FormatTooNewException e) {
            return View.blocked(advice(e));
        } catch (MalformedRecordException e) {
            return View.blocked(e.getMessage()
                    + ". No instance leads until a person has stopped all of them and run: bin/latchkey repair");
        }
    }

    private static <T> ReadResult<T> await(Session session, CompletableFuture<ReadResult<T>> future)
            throws InterruptedException {
        return await(session, future, new ReadResult.Failed<>("(no answer)", Code.OPERATIONTIMEOUT));
    }

    /** The client answers every request once it has lost the server, so the bound is only reached if it is broken. */
    static <T> T await(Session session, CompletableFuture<? extends T> future, T instead) throws InterruptedException {
        Duration bound = session.timeout().multipliedBy(2);
        try {
            return future.get(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return instead;
        } catch (ExecutionException e) {
            throw new IllegalStateException("A request to ZooKeeper ended by a surprise", e);
        }
    }
}
