package io.latchkey.election;

import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.ZNodes;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One tenure of one leader: what it may write with, and whether it still may start anything. Made by a write to
 * {@code /leader}; a latch lost and regained, also in the same session, is another term with another gate.
 *
 * <p>Immutable but for its gate, its session's lease and what may forbid it to go on. All methods may be called from any thread and return at once.
 */
public final class Term {
    private final Tenure tenure;
    private final ZNodes nodes;
    private final Session session;
    private final Gate gate;
    private final Lease lease;
    private final Consumer<String> whenOver;
    private final AtomicReference<@Nullable FormatTooNewException> newer = new AtomicReference<>();

    /**
     * @param whenOver told why, once the gate is closed, by each call of {@link #over}; must return at once
     */
    public Term(Tenure tenure, ZNodes nodes, Session session, Gate gate, Lease lease, Consumer<String> whenOver) {
        this.tenure = tenure;
        this.nodes = nodes;
        this.session = session;
        this.gate = gate;
        this.lease = lease;
        this.whenOver = whenOver;
    }

    /** Counts terms from 1. */
    public long number() {
        return tenure.number();
    }

    /** Fencing token; rises from term to term. */
    public long token() {
        return tenure.token();
    }

    /** The data version of {@code /leader} while this term lasts. */
    public int leaderVersion() {
        return tenure.leaderVersion();
    }

    /** Full path of the latch node it was taken under. */
    public String latchNode() {
        return tenure.latchNode();
    }

    /** The session it was taken in; nothing of this term may be written in another. */
    public Session session() {
        return session;
    }

    public Gate gate() {
        return gate;
    }

    /** The session's; a confirmed write of this session is to be told to it. */
    public Lease lease() {
        return lease;
    }

    public String instanceId() {
        return tenure.instanceId();
    }

    /** The session, as recorded in what this term claims. */
    public String incarnation() {
        return session.incarnation();
    }

    /** When it was taken, by this instance's wall clock. */
    public Instant since() {
        return tenure.since();
    }

    /** Whether a job may start at this instant. To be asked again at the last moment before it does. */
    public boolean mayStart() {
        return gate.isOpen() && lease.isValid();
    }

    /** Why a job may not start, for people; asked right after {@link #mayStart} said so. */
    public String whyNot() {
        return gate.isOpen() ? lease.whyNot() : gate.reason();
    }

    /**
     * A new transaction that begins with this term's checks, {@link #FENCES} of them: 0, {@code /leader} is at this
     * term's version; 1, the own latch node is there. Refused at one of them, the term is over: call {@link #over}.
     */
    public Transaction fenced() {
        return new Transaction()
                .check(nodes.leader(), tenure.leaderVersion())
                .check(tenure.latchNode(), Transaction.ANY_VERSION);
    }

    /** How many operations of {@link #fenced()} are checks of the term. */
    public static final int FENCES = 2;

    /** Ends this term, because this instance cannot use it. As {@link #over(Gate.Cause, String)}. */
    public void over(String reason) {
        over(Gate.Cause.FAILED, reason);
    }

    /** Ends this term: its gate is closed when this returns, the leadership thread does the rest. */
    public void over(Gate.Cause cause, String reason) {
        gate.close(cause, reason);
        whenOver.accept(reason);
    }

    /**
     * Ends this term, for a record that only a newer version understands: this instance stays out of the latch until it is
     * gone. Like {@link #over}.
     */
    public void forbid(FormatTooNewException met) {
        newer.compareAndSet(null, met);
        over(Gate.Cause.NEWER_FORMAT, String.valueOf(met.getMessage()));
    }

    /** The record of a newer version that this term met, or empty. */
    Optional<FormatTooNewException> forbidden() {
        return Optional.ofNullable(newer.get());
    }

    @Override
    public String toString() {
        return "term " + number() + " (token " + token() + ")";
    }
}
