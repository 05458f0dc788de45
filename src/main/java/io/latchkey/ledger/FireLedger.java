package io.latchkey.ledger;

import io.latchkey.election.Term;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The ledger of all fires. This part asks for no leadership: an outcome is written by whoever ran the fire, leader or
 * not. What only a leader may do is behind {@link #open}. Safe for use by many threads.
 */
public interface FireLedger extends AutoCloseable {

    /**
     * Looks at the format of every record that a leader acts on. Blocks; reads all of them.
     *
     * @throws io.latchkey.zookeeper.FormatTooNewException for the first found that a newer version wrote
     * @throws LedgerException when it cannot be told
     */
    void requireKnownFormats() throws LedgerException;

    /** The view of one term, fenced by it. One for each term; nothing is read or written yet. */
    TermLedger open(Term term);

    /**
     * Records how a claimed fire ended, and with it the job's data if the job persists it
     * (scalars: text, numbers, booleans, null; their types are kept). Returns at once; writes are
     * grouped and pipelined, in order. Never checks who leads. The future never fails; a completion that does not
     * arrive is logged, and recovery decides the fire.
     */
    CompletableFuture<Completion> complete(
            Claimed fire, Outcome outcome, @Nullable Map<String, @Nullable Object> persistedJobData);

    /**
     * Records that an attempt has ended badly and that its fire is tried again, which is no outcome of the fire: by
     * whoever leads when the time has come, as the next attempt. Otherwise as {@link #complete}.
     */
    CompletableFuture<Completion> retry(
            Claimed fire, Outcome ended, Retry retry, @Nullable Map<String, @Nullable Object> persistedJobData);

    /**
     * Gives a claim back that never started ({@link Claimed#tryRelease} said so), by a versioned write on the session
     * that claimed. The next term, or this one, runs it.
     */
    CompletableFuture<Completion> release(Claimed fire);

    /**
     * Makes a request; durable when this returns. May be called without a term, on any instance.
     *
     * @return its name
     * @throws LedgerException when it is not known to be durable
     */
    String submit(Request request) throws LedgerException;

    /** Waits a little for what is under way, then stops. Idempotent. */
    @Override
    void close();
}
