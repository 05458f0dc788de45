package io.latchkey.ledger;

import io.latchkey.zookeeper.NotConnectedException;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult;
import io.latchkey.zookeeper.ZNodes;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;

/** Makes requests to the leader, whoever that is or will be. Needs no leadership; safe for use by many threads. */
public final class Requests {
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
     * Makes a request; durable when this returns. Blocks.
     *
     * @return its name
     * @throws LedgerException when it is not known to be durable
     */
    public String submit(Request request) throws LedgerException {
        // A name of our own rather than ZooKeeper's number: so a create whose reply was lost can be tried again.
        String name = String.format(
                "request-%013d-%s", clock.millis(), UUID.randomUUID().toString().substring(0, 8));
        byte[] data = LedgerJson.write(request.named(name));
        Transaction create = new Transaction().create(nodes.request(name), data);
        Session session = session();
        for (int tries = 1; ; tries++) {
            parents.ensure(nodes.requests(), session);
            TxResult result = Await.answer(
                    session.commitUntilKnown(
                            create,
                            s -> Part.holds(nodes.request(name), data, 0).readBack(s),
                            session.timeout()),
                    session.timeout().plusSeconds(5),
                    "request " + name);
            if (result.isCommitted()
                    || (result instanceof TxResult.Refused there && there.reason() == TxResult.Reason.NODE_EXISTS)) {
                return name;
            }
            if (result instanceof TxResult.Unknown || tries == TRIES) {
                throw new LedgerException("it is not known whether the request was made: " + result);
            }
            parents.forget();
            pause();
            session = session();
        }
    }

    /**
     * Takes a request back. Blocks.
     *
     * @return false when it was answered before
     * @throws LedgerException when it is not known to be gone
     */
    public boolean withdraw(String name) throws LedgerException {
        Session session = session();
        TxResult result = Await.answer(
                session.commit(new Transaction().delete(nodes.request(name), Transaction.ANY_VERSION)),
                session.timeout().plusSeconds(5),
                "withdrawal of " + name);
        if (result instanceof TxResult.Refused refused && refused.reason() == TxResult.Reason.NO_NODE) {
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
