package io.latchkey.ledger;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/**
 * The ledger as one term may change it: every write here checks the term's fence, in the same transaction. Blocking
 * calls, each within about a session timeout and deaf to interrupts meanwhile (an interrupted wait would make an outcome
 * unknown; the flag is kept); claims and other writes may be called by several threads and take turns.
 */
public interface TermLedger extends AutoCloseable {

    /**
     * Reads all of it. To be called once, after the term was taken: reads before that prove nothing.
     *
     * @throws LedgerException when ZooKeeper does not answer
     * @throws io.latchkey.zookeeper.FormatTooNewException when a record is of a newer version than this instance knows
     */
    LedgerState load() throws LedgerException;

    /** Creates, replaces and deletes cursors, in as many transactions as the limits ask for. */
    WriteResult write(List<CursorWrite> writes);

    /**
     * Claims a batch, in one transaction if the limits allow. Blocks until each is confirmed, refused or given up.
     *
     * @param batch no trigger in it twice
     * @return as many results as requests, in their order
     */
    List<ClaimResult> claim(List<ClaimRequest> batch);

    /** Decides that the fire of an owner that is gone is not run again. */
    DecideResult abandon(Held record, String why);

    /** The record of a fire as it is now; empty when there is none (the history may have it). */
    Optional<Held> read(FireId id) throws LedgerException;

    /** All running records as they are now; those that cannot be read are logged and left out. */
    List<Held> running() throws LedgerException;

    /** The incarnations alive now, by the owners of the instances' ephemeral znodes, not by what their data says. */
    Set<String> liveIncarnations() throws LedgerException;

    /** A job's persisted data as it is now; empty when it has none. */
    Optional<Map<String, @Nullable Object>> jobData(JobKey job) throws LedgerException;

    /**
     * The latest slot known of each trigger of these jobs, from running records, history and this process's memory: a
     * cursor that is made anew starts after it, whatever the clock says.
     */
    Map<TriggerKey, Instant> latestSlots(Collection<JobKey> jobs) throws LedgerException;

    /** The requests there now, in order. */
    List<Request> requests() throws LedgerException;

    /** Calls back (on any thread; must be trivial) whenever requests may have come, until the term ledger is closed. */
    void onRequests(Runnable listener);

    /**
     * Answers a request other than to run a job: deletes it, and if {@code paused} is given sets that, in one
     * transaction.
     */
    WriteResult answer(Request request, Optional<Paused> paused);

    /** Sets what is paused and on hold. */
    WriteResult pause(Paused now);

    /** Deletes the history and persisted data of a job that the configuration has no more. */
    WriteResult forget(JobKey job);

    /** Folds DONE records into the history now; besides this it goes on in the background while the term lasts. */
    void fold();

    /** Stops what goes on in the background. Writes nothing. Idempotent. */
    @Override
    void close();
}
