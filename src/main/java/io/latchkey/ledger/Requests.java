package io.latchkey.ledger;

import io.latchkey.zookeeper.NotConnectedException;
import io.latchkey.zookeeper.ReadBack;
import io.latchkey.zookeeper.ReadResult;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult;
import io.latchkey.zookeeper.ZNodes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes requests to the leader, whoever that is or will be. Needs no leadership; safe for use by many threads. */
public final class Requests {
    private static final Logger log = LoggerFactory.getLogger(Requests.class);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int TRIES = 4;

    private final ZNodes nodes;
    private final Sessions sessions;
    private final Clock clock;
    private final Parents parents;

    public Requests(ZNodes nodes, Sessions sessions, Clock clock) {
        this(nodes, sessions, clock, new Parents());
    }

    Requests(ZNodes nodes, Sessions sessions, Clock clock, Parents parents) {
        this.nodes = nodes;
        this.sessions = sessions;
        this.clock = clock;
        this.parents = parents;
    }

    /**
     * Makes a request that no person asked for; durable when this returns. Blocks.
     *
     * @return its name
     * @throws LedgerException when it is not known to be durable
     */
    public String submit(Request request) throws LedgerException {
        Request named = request.named(name(clock));
        make(named, false);
        return named.seq();
    }

    /**
     * Makes a request and begins its audit, in one; durable when this returns. Blocks.
     *
     * @param key of the asker's own making; a request of the same asker with the same key is made once, however often this
     *     is called, as long as its audit is kept. Empty for a request that is a new one each time
     * @return its audit: if it was made before, then as it is by now
     * @throws LedgerException when it is not known to be durable; with a key, call again
     */
    public AuditRecord file(Request request, Optional<String> key) throws LedgerException {
        Request named = request.named(name(request, key, clock));
        return make(named, true) ? AuditRecord.of(named) : audit(named);
    }

    /** A name of our own rather than ZooKeeper's number: so a create whose reply was lost can be tried again. */
    private static String name(Clock clock) {
        return String.format(
                "request-%013d-%s", clock.millis(), UUID.randomUUID().toString().substring(0, 8));
    }

    /** The name of a request of an asker's own key, the same each time; or a new one. */
    static String name(Request request, Optional<String> key, Clock clock) {
        return key.map(text -> "key-" + digest(request.by() + "\n" + text)).orElseGet(() -> name(clock));
    }

    /** False if one of that name was made before. */
    private boolean make(Request request, boolean audited) throws LedgerException {
        String path = nodes.request(request.seq());
        byte[] data = LedgerJson.write(request);
        Transaction create = new Transaction();
        Function<Session, CompletableFuture<ReadBack>> proof;
        if (audited) {
            // First: it stays when the request is answered, and so tells one that was made from one that was not.
            String record = nodes.audit(request.seq());
            create.create(record, LedgerJson.write(AuditRecord.of(request)));
            proof = session -> Part.exists(record, session);
        } else {
            proof = session -> Part.holds(path, data, 0).readBack(session);
        }
        create.create(path, data);
        Session session = session();
        for (int tries = 1; ; tries++) {
            if (audited) {
                parents.ensure(nodes.audit(), session);
            }
            parents.ensure(nodes.requests(), session);
            TxResult result = Await.answer(
                    session.commitUntilKnown(create, proof, session.timeout()),
                    session.timeout().plusSeconds(5),
                    "request " + request.seq());
            if (result.isCommitted()) {
                return true;
            }
            if (result instanceof TxResult.Refused there && there.reason() == TxResult.Reason.NODE_EXISTS) {
                return false;
            }
            if (result instanceof TxResult.Unknown || tries == TRIES) {
                throw new LedgerException("it is not known whether the request was made: " + result);
            }
            parents.forget();
            pause();
            session = session();
        }
    }

    private AuditRecord audit(Request request) throws LedgerException {
        return audit(new Reads(session()), nodes.audit(request.seq()));
    }

    /** The audit of a request that was made before. */
    static AuditRecord audit(Reads reads, String path) throws LedgerException {
        Optional<ReadResult.Found<byte[]>> found = reads.get(path);
        if (found.isEmpty()) {
            throw new LedgerException("the request was made before, and its audit is gone: make it anew");
        }
        try {
            return LedgerJson.read(found.get().value(), AuditRecord.class, path);
        } catch (IllegalArgumentException e) {
            throw new LedgerException("the request was made before, and its audit cannot be read", e);
        }
    }

    private static String digest(String text) {
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)), 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    /**
     * Takes a request back, and says so in its audit. Blocks.
     *
     * @param by who takes it back
     * @return false when it was answered before
     * @throws LedgerException when it is not known to be gone
     */
    public boolean withdraw(String name, String by) throws LedgerException {
        Session session = session();
        Transaction ops = new Transaction().delete(nodes.request(name), Transaction.ANY_VERSION);
        String path = nodes.audit(name);
        Optional<ReadResult.Found<byte[]>> found = new Reads(session).get(path);
        if (found.isPresent()) {
            try {
                AuditRecord record = LedgerJson.read(found.get().value(), AuditRecord.class, path);
                AuditRecord.Answer back =
                        new AuditRecord.Answer(AuditRecord.Verdict.WITHDRAWN, null, by, clock.instant());
                ops.set(
                        path,
                        LedgerJson.write(record.answered(back)),
                        found.get().version());
            } catch (IllegalArgumentException e) {
                log.debug("The audit of {} is left as it is", name, e);
            }
        }
        TxResult result = Await.answer(session.commit(ops), session.timeout().plusSeconds(5), "withdrawal of " + name);
        if (result instanceof TxResult.Refused refused
                && (refused.reason() == TxResult.Reason.NO_NODE || refused.reason() == TxResult.Reason.BAD_VERSION)) {
            return false;
        }
        if (!result.isCommitted()) {
            throw new LedgerException("it is not known whether " + name + " was withdrawn: " + result);
        }
        return true;
    }

    private Session session() throws LedgerException {
        try {
            return sessions.current();
        } catch (NotConnectedException e) {
            throw new LedgerException("no connection to ZooKeeper, the request was not made", e);
        }
    }

    private static void pause() throws LedgerException {
        try {
            Thread.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LedgerException("interrupted; it is not known whether the request was made", e);
        }
    }
}
