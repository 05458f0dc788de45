package io.latchkey.ledger;

import io.latchkey.zookeeper.NotConnectedException;
import io.latchkey.zookeeper.ReadResult;
import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult;
import io.latchkey.zookeeper.ZNodes;
import java.time.Clock;
import java.util.Optional;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls all instances to reload, and hears of such calls. Needs no leader: each instance has files of its own. Safe for use
 * by many threads.
 */
public final class ReloadCalls {
    private static final Logger log = LoggerFactory.getLogger(ReloadCalls.class);
    private static final int TRIES = 5;

    private final ZNodes nodes;
    private final Sessions sessions;
    private final Clock clock;
    private volatile @Nullable Session watchedIn;

    public ReloadCalls(ZNodes nodes, Sessions sessions, Clock clock) {
        this.nodes = nodes;
        this.sessions = sessions;
        this.clock = clock;
    }

    /**
     * Calls; durable when this returns. Blocks.
     *
     * @throws LedgerException when it is not known to be durable
     */
    public ReloadCall call(String by, boolean allowEmpty) throws LedgerException {
        Session session = session();
        for (int tries = 1; ; tries++) {
            Optional<Found<byte[]>> found = new Reads(session).get(nodes.reload());
            long last = found.flatMap(this::read).map(ReloadCall::number).orElse(0L);
            ReloadCall call = new ReloadCall(last + 1, by, clock.instant(), allowEmpty);
            byte[] data = LedgerJson.write(call);
            Transaction write = found.isPresent()
                    ? new Transaction().set(nodes.reload(), data, found.get().version())
                    : new Transaction().create(nodes.reload(), data);
            int version = found.isPresent() ? found.get().version() + 1 : 0;
            TxResult result = Await.answer(
                    session.commitUntilKnown(
                            write,
                            s -> Part.holds(nodes.reload(), data, version).readBack(s),
                            session.timeout()),
                    session.timeout().plusSeconds(5),
                    "call to reload");
            if (result.isCommitted()) {
                return call;
            }
            // Somebody else called at the same moment, if it is anything: theirs may be of before our change of files.
            if (!(result instanceof TxResult.Refused) || tries == TRIES) {
                throw new LedgerException("the instances were not called to reload: " + result);
            }
        }
    }

    /** The last call there was. Blocks. */
    public Optional<ReloadCall> last() throws LedgerException {
        return new Reads(session()).get(nodes.reload()).flatMap(this::read);
    }

    /**
     * Tells once when there is another call than now; asynchronous. Asked again before that, and in the same session, it
     * does nothing: to be asked before each look at {@link #last}.
     *
     * @param changed runs on ZooKeeper's event thread; must return at once
     * @throws LedgerException without a connection
     */
    public void onNext(Runnable changed) throws LedgerException {
        Session session = session();
        if (session.equals(watchedIn)) {
            return;
        }
        watchedIn = session;
        var unused = session.exists(nodes.reload(), event -> {
                    if (event.getType() != EventType.None) {
                        watchedIn = null;
                        changed.run();
                    }
                })
                .thenAccept(read -> {
                    if (read instanceof ReadResult.Failed<?>) {
                        watchedIn = null;
                    }
                });
    }

    private Optional<ReloadCall> read(Found<byte[]> found) {
        try {
            return Optional.of(LedgerJson.read(found.value(), ReloadCall.class, nodes.reload()));
        } catch (IllegalArgumentException | io.latchkey.zookeeper.FormatTooNewException e) {
            log.debug("{} holds no call of ours", nodes.reload(), e);
            return Optional.empty();
        }
    }

    private Session session() throws LedgerException {
        try {
            return sessions.current();
        } catch (NotConnectedException e) {
            throw new LedgerException("no connection to ZooKeeper", e);
        }
    }
}
