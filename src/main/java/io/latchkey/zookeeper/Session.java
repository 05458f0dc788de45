package io.latchkey.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * One ZooKeeper session, pinned. What is asked of it is sent on this session or not at all: never retried behind the
 * caller's back, never carried over to a later session, as Curator's own operations are.
 *
 * <p>Thread-safe; nothing here blocks. Futures complete normally whatever ZooKeeper answers, on ZooKeeper's event thread:
 * stages that depend on them must be short or go to an executor. Requests of one session are carried out in the order they
 * were made in.
 */
public final class Session {
    private final ZooKeeper handle;
    private final long id;
    private final List<ACL> acl;
    private final LongConsumer writes;

    /**
     * @param handle connected, so that it has its id
     * @param acl what created nodes get
     */
    Session(ZooKeeper handle, List<ACL> acl) {
        this(handle, acl, nanos -> {});
    }

    /** @param writes told of each transaction that was answered, how long that took, in nanoseconds; must be trivial */
    Session(ZooKeeper handle, List<ACL> acl, LongConsumer writes) {
        this.writes = writes;
        this.handle = handle;
        this.id = handle.getSessionId();
        this.acl = List.copyOf(acl);
        if (id == 0) {
            throw new IllegalArgumentException("The handle has no session yet");
        }
    }

    public long id() {
        return id;
    }

    /** The id as ZooKeeper's own tools print it, such as {@code 0x1000a2b3c4d0000}. */
    public String incarnation() {
        return "0x" + Long.toHexString(id).toLowerCase(Locale.ROOT);
    }

    /** The session timeout as the server granted it. */
    public Duration timeout() {
        return Duration.ofMillis(handle.getSessionTimeout());
    }

    /** What a second client needs to join this session. Never log it. */
    public byte[] password() {
        return handle.getSessionPasswd();
    }

    /** False once the session is known here to be over. True proves nothing: the server may have expired it unheard. */
    public boolean alive() {
        return handle.getState().isAlive() && handle.getSessionId() == id;
    }

    /** Whether a server is in contact at this moment. */
    public boolean connected() {
        return alive() && handle.getState().isConnected();
    }

    boolean isOf(ZooKeeper other) {
        return handle == other && other.getSessionId() == id;
    }

    /**
     * Sends a transaction, once.
     *
     * @throws TransactionTooLargeException if it is past the limits; nothing is sent
     */
    public CompletableFuture<TxResult> commit(Transaction transaction) {
        transaction.requireWithinLimits();
        if (transaction.isEmpty()) {
            throw new IllegalArgumentException("A transaction with nothing in it");
        }
        if (!alive()) {
            return CompletableFuture.completedFuture(gone());
        }
        CompletableFuture<TxResult> result = new CompletableFuture<>();
        List<Transaction.Step> steps = List.copyOf(transaction.steps());
        long sent = System.nanoTime();
        handle.multi(
                steps.stream().map(step -> step.toOp(acl)).toList(),
                (rc, path, context, results) -> {
                    if (rc == Code.OK.intValue()) {
                        writes.accept(System.nanoTime() - sent);
                    }
                    result.complete(
                            rc == Code.OK.intValue() && results != null
                                    ? committed(steps, results)
                                    : Codes.failure(rc, results));
                },
                null);
        return result;
    }

    /**
     * Sends a transaction and, while its outcome is unknown, finds out: see {@link #resolve}. A first answer that is known
     * is returned as it is, without reading back.
     */
    public CompletableFuture<TxResult> commitUntilKnown(
            Transaction transaction, Function<Session, CompletableFuture<ReadBack>> readBack, Duration patience) {
        return new KnownOutcome(this, transaction, readBack).commit(patience);
    }

    /**
     * Finds out what became of a transaction that was sent on this session with an unknown outcome. It is sent again, on
     * this session alone, until it is answered: requests of a session are ordered, so that then the first try has had its
     * effect or never will. Committed: now it is applied. Refused: it may have been the first try that stands in its own
     * way, so the caller's read-back says whose work it finds, on the same session and after that answer.
     *
     * <p>The transaction must do no harm when applied twice, or be unable to (a version, a creation), and have no
     * sequential creation.
     *
     * @param readBack reads a node the transaction writes and compares its nonce, as {@link #readBack} does
     * @param patience when it has passed the result is {@link TxResult.Unknown} and no further try is made; the last one may
     *     still be under way. While cut off, that or the session's end is what ends this
     * @return never {@link TxResult.Refused} if the node read back is ours
     */
    public CompletableFuture<TxResult> resolve(
            Transaction transaction, Function<Session, CompletableFuture<ReadBack>> readBack, Duration patience) {
        return new KnownOutcome(this, transaction, readBack).resolve(patience);
    }

    /** A read-back for {@link #resolve}: the node's data passes the test exactly if the transaction wrote it. */
    public static Function<Session, CompletableFuture<ReadBack>> readBack(String path, Predicate<byte[]> ours) {
        return session -> session.get(path).thenApply(read -> {
            if (read instanceof ReadResult.Found<byte[]> found) {
                return ours.test(found.value()) ? new ReadBack.Ours(found.stat().getMzxid()) : new ReadBack.NotOurs();
            }
            return read instanceof ReadResult.Missing<byte[]> ? new ReadBack.NotOurs() : new ReadBack.Undecided();
        });
    }

    public CompletableFuture<ReadResult<byte[]>> get(String path) {
        return get(path, null);
    }

    /**
     * Reads a node and watches it.
     *
     * @param watcher told once of the node's next change or deletion, on ZooKeeper's event thread; set only if the node is
     *     found. It hears of the connection too (type {@code None})
     */
    public CompletableFuture<ReadResult<byte[]>> get(String path, @Nullable Watcher watcher) {
        CompletableFuture<ReadResult<byte[]>> result = new CompletableFuture<>();
        if (goneBeforeRead(path, result)) {
            return result;
        }
        handle.getData(
                path,
                watcher,
                (rc, p, context, data, stat) ->
                        result.complete(read(path, rc, data == null ? new byte[0] : data, stat)),
                null);
        return result;
    }

    /** Whether the node is there; the value is its stat. */
    public CompletableFuture<ReadResult<Stat>> exists(String path) {
        return exists(path, null);
    }

    /**
     * Whether the node is there, with a watch either way.
     *
     * @param watcher told once of the node's next creation, change or deletion, on ZooKeeper's event thread; set whether
     *     the node is found or missing. It hears of the connection too (type {@code None})
     */
    public CompletableFuture<ReadResult<Stat>> exists(String path, @Nullable Watcher watcher) {
        CompletableFuture<ReadResult<Stat>> result = new CompletableFuture<>();
        if (goneBeforeRead(path, result)) {
            return result;
        }
        handle.exists(path, watcher, (rc, p, context, stat) -> result.complete(read(path, rc, stat, stat)), null);
        return result;
    }

    /** Names of the children (encoded, in no order). A reply over the client's buffer costs the connection: keep them few. */
    public CompletableFuture<ReadResult<List<String>>> children(String path) {
        return children(path, null);
    }

    /**
     * Lists the children and watches them.
     *
     * @param watcher told once of the next child to come or go, on ZooKeeper's event thread; set only if the node is found
     */
    public CompletableFuture<ReadResult<List<String>>> children(String path, @Nullable Watcher watcher) {
        CompletableFuture<ReadResult<List<String>>> result = new CompletableFuture<>();
        if (goneBeforeRead(path, result)) {
            return result;
        }
        handle.getChildren(
                path, watcher, (rc, p, context, names, stat) -> result.complete(read(path, rc, names, stat)), null);
        return result;
    }

    /** Reads many nodes, pipelined, with a bounded number under way; results are in the order of the paths. */
    public CompletableFuture<List<ReadResult<byte[]>>> getAll(List<String> paths) {
        return new PipelinedReads<>(paths, this::get).start();
    }

    /** {@link #exists} of many nodes, as {@link #getAll}. */
    public CompletableFuture<List<ReadResult<Stat>>> existsAll(List<String> paths) {
        return new PipelinedReads<>(paths, this::exists).start();
    }

    /** {@link #children} of many nodes, as {@link #getAll}. */
    public CompletableFuture<List<ReadResult<List<String>>>> childrenOfAll(List<String> paths) {
        return new PipelinedReads<>(paths, this::children).start();
    }

    /** Lets the server in contact catch up with the ensemble, so that later reads see what was committed before; false if it failed. */
    public CompletableFuture<Boolean> sync(String path) {
        if (!alive()) {
            return CompletableFuture.completedFuture(false);
        }
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        handle.sync(path, (rc, p, context) -> result.complete(rc == Code.OK.intValue()), null);
        return result;
    }

    TxResult gone() {
        return new TxResult.SessionGone("session " + incarnation() + " is over");
    }

    private <T> boolean goneBeforeRead(String path, CompletableFuture<ReadResult<T>> result) {
        return !alive() && result.complete(new ReadResult.Failed<>(path, Code.SESSIONEXPIRED));
    }

    private static <T> ReadResult<T> read(String path, int rc, @Nullable T value, @Nullable Stat stat) {
        Code code = Codes.of(rc);
        if (code == Code.OK && value != null && stat != null) {
            return new ReadResult.Found<>(path, value, stat);
        }
        return code == Code.NONODE ? new ReadResult.Missing<>(path) : new ReadResult.Failed<>(path, code);
    }

    private static TxResult committed(List<Transaction.Step> steps, List<OpResult> results) {
        List<OpOutcome> outcomes = new ArrayList<>(steps.size());
        long zxid = TxResult.Committed.NO_ZXID;
        for (int i = 0; i < steps.size(); i++) {
            Transaction.Step step = steps.get(i);
            OpOutcome outcome = new OpOutcome(step.path(), step.versionAfter(), null);
            if (results.get(i) instanceof OpResult.SetDataResult set) {
                zxid = set.getStat().getMzxid();
                outcome = new OpOutcome(step.path(), set.getStat().getVersion(), set.getStat());
            } else if (results.get(i) instanceof OpResult.CreateResult create
                    && step.mode().isSequential()) {
                // The reply's path begins with the chroot, which paths on this side never show.
                String path = create.getPath();
                outcome = new OpOutcome(path.substring(path.lastIndexOf(step.path())), 0, null);
            }
            outcomes.add(outcome);
        }
        return new TxResult.Committed(outcomes, zxid);
    }

    @Override
    public String toString() {
        return "session " + incarnation();
    }
}
