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
    private final Parents parents = new Parents();
    private volatile @Nullable Session watchedIn;

    public ReloadCalls(ZNodes nodes, Sessions sessions, Clock clock) {
        this.nodes = nodes;
        this.sessions = sessions;
        this.clock = clock;
    }

    /**
     * Calls, and begins the call's audit, in one; durable when this returns. Blocks.
     *
     * @param request one of {@link Request#reload}
     * @param key of the asker's own making: with the same one there is one call, as long as its audit is kept. Empty for a
     *     new call each time
     * @return its audit: if it was called before, then as it is by now
     * @throws LedgerException when it is not known to be durable; with a key, call again
     */
    public AuditRecord file(Request request, Optional<String> key) throws LedgerException {
        Session session = session();
        AuditRecord record = AuditRecord.of(request.named(Requests.name(request, key, clock)));
        String audit = nodes.audit(record.seq());
        for (int tries = 1; ; tries++) {
            Optional<Found<byte[]>> found = new Reads(session).get(nodes.reload());
            long last = found.flatMap(this::read).map(ReloadCall::number).orElse(0L);
            boolean allowEmpty = request.data().containsKey(Request.ALLOW_EMPTY);
            byte[] data = LedgerJson.write(new ReloadCall(last + 1, request.by(), clock.instant(), allowEmpty));
            AuditRecord filed = record.calling(last + 1);
            // First, the audit: it tells a call that was made from one that was not.
            Transaction write = new Transaction().create(audit, LedgerJson.write(filed));
            if (found.isPresent()) {
                write.set(nodes.reload(), data, found.get().version());
            } else {
                write.create(nodes.reload(), data);
            }
            parents.ensure(nodes.audit(), session);
            TxResult result = Await.answer(
                    session.commitUntilKnown(write, s -> Part.exists(audit, s), session.timeout()),
                    session.timeout().plusSeconds(5),
                    "call to reload");
            if (result.isCommitted()) {
                return filed;
            }
            if (result instanceof TxResult.Refused there
                    && there.index() == 0
                    && there.reason() == TxResult.Reason.NODE_EXISTS) {
                return Requests.audit(new Reads(session), audit);
            }
            parents.forget();
            // Somebody else called at the same moment, if it is anything: theirs may be of before our change of files.
            if (!(result instanceof TxResult.Refused) || tries == TRIES) {
                throw new LedgerException("the instances were not called to reload: " + result);
            }
        }
    }

    /** Puts on record what became of a call, unless that was done. Returns the call with its answer. Blocks. */
    public AuditRecord answered(AuditRecord filed, AuditRecord.Answer answer) throws LedgerException {
        Session session = session();
        String path = nodes.audit(filed.seq());
        Optional<Found<byte[]>> found = new Reads(session).get(path);
        AuditRecord answered = filed.answered(answer);
        if (found.isPresent() && Requests.audit(new Reads(session), path).answer() == null) {
            byte[] data = LedgerJson.write(answered);
            // Should another one have written meanwhile, theirs stands: it saw the same.
            TxResult result = Await.answer(
                    session.commit(new Transaction().set(path, data, found.get().version())),
                    session.timeout().plusSeconds(5),
                    "the record of a reload");
            log.debug("Record of call {}: {}", filed.call(), result);
        }
        return answered;
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
