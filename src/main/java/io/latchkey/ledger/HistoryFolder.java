package io.latchkey.ledger;

import io.latchkey.ledger.Part.Result;
import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult.Reason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.quartz.JobKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Folds finished running records into their job's history: one fenced transaction sets the history and deletes the
 * records, so that a kill at any point loses none. Called once a second at most; then each job's history is written at
 * most once, however many of its fires ended.
 */
final class HistoryFolder {
    private static final Logger log = LoggerFactory.getLogger(HistoryFolder.class);

    /** Room for the deletions of one transaction besides the fence and the history. */
    private static final int MAX_DELETES = Transaction.MAX_OPS - 5;

    /** Bytes of deletions that fit besides a history of full size. */
    private static final int MAX_DELETE_BYTES = Transaction.MAX_BYTES - History.MAX_BYTES - 4 * 1024;

    private final TermWork work;
    private final Reads reads;
    private final int limit;
    private final AuditTrail audit;
    private final Map<FireId, Held> done = new LinkedHashMap<>();
    private final Map<JobKey, Stored> cache = new HashMap<>();

    HistoryFolder(TermWork work, Reads reads, int limit, AuditTrail audit) {
        this.audit = audit;
        this.work = work;
        this.reads = reads;
        this.limit = limit;
    }

    /** A history as it is; version -1 where there is none. */
    private record Stored(History history, int version) {}

    /** A record is DONE; any thread. */
    void add(Held held) {
        synchronized (done) {
            done.put(held.record().id(), held);
        }
    }

    /** False when the term is over. One caller at a time. */
    synchronized boolean fold() throws LedgerException {
        Map<JobKey, List<Held>> byJob = new LinkedHashMap<>();
        synchronized (done) {
            done.values()
                    .forEach(held -> byJob.computeIfAbsent(held.record().job(), job -> new ArrayList<>())
                            .add(held));
        }
        for (Map.Entry<JobKey, List<Held>> entry : byJob.entrySet()) {
            if (!foldJob(entry.getKey(), entry.getValue())) {
                return false;
            }
        }
        return true;
    }

    private boolean foldJob(JobKey job, List<Held> finished) throws LedgerException {
        String path = work.nodes().history(job.getGroup(), job.getName());
        Set<Held> gone = new HashSet<>();
        boolean written = false;
        for (int tries = 0; tries < finished.size() + 3; tries++) {
            List<Held> left = finished.stream().filter(h -> !gone.contains(h)).toList();
            if (left.isEmpty() && written) {
                return true;
            }
            Stored stored = stored(job, path);
            Transaction ops = new Transaction();
            byte[] data = new byte[0];
            History next = stored.history();
            if (written) {
                // All of them are in the history by now: only deletions are left.
                ops.check(path, stored.version());
            } else {
                next = stored.history().with(finished.stream().map(Held::record).toList(), limit);
                data = LedgerJson.write(next);
                if (stored.version() < 0) {
                    work.parents().ensureOf(path, work.term().session());
                    ops.create(path, data);
                } else {
                    ops.set(path, data, stored.version());
                }
            }
            List<Held> deleted = addDeletions(ops, left);
            Part.Proof proof = written
                    ? Part.gone(work.runningPath(deleted.get(0).record().id()))
                    : Part.holds(path, data, stored.version() + 1);
            Result result = work.writer().commit(List.of(new Part(ops, proof))).get(0);
            if (result instanceof Result.Stands) {
                if (!written) {
                    cache.put(job, new Stored(next, stored.version() + 1));
                    written = true;
                }
                gone.addAll(deleted);
                deleted.forEach(this::forget);
                deleted.forEach(held -> audit.ended(held.record()));
            } else if (result instanceof Result.Failed failed) {
                if (failed.op() == 0) {
                    cache.remove(job);
                    work.parents().forget();
                } else {
                    Held culprit = deleted.get(failed.op() - 1);
                    log.debug(
                            "The record of {} is gone or changed before it was folded",
                            culprit.record().id());
                    gone.add(culprit);
                    lookAgain(culprit, failed.reason());
                }
            } else if (result instanceof Result.Fenced) {
                return false;
            } else {
                throw new LedgerException("the history of job " + job + " was not written: " + result);
            }
        }
        throw new LedgerException("the history of job " + job + " keeps changing while it is written");
    }

    private List<Held> addDeletions(Transaction ops, Collection<Held> left) {
        List<Held> out = new ArrayList<>();
        Transaction deletions = new Transaction();
        for (Held held : left) {
            if (out.size() == MAX_DELETES || deletions.sizeBytes() > MAX_DELETE_BYTES) {
                break;
            }
            deletions.delete(work.runningPath(held.record().id()), held.version());
            out.add(held);
        }
        ops.addAll(deletions);
        return out;
    }

    private void forget(Held held) {
        work.known().ranNoMore(work.runningPath(held.record().id()));
        synchronized (done) {
            done.remove(held.record().id(), held);
        }
    }

    /** A record that somebody changed by hand after it was DONE is read anew at the next scan. */
    private void lookAgain(Held held, Reason reason) {
        if (reason == Reason.NO_NODE) {
            forget(held);
        } else {
            work.known().changed(work.runningPath(held.record().id()));
            synchronized (done) {
                done.remove(held.record().id(), held);
            }
        }
    }

    private Stored stored(JobKey job, String path) throws LedgerException {
        Stored cached = cache.get(job);
        if (cached != null) {
            return cached;
        }
        Optional<Found<byte[]>> found = reads.get(path);
        Stored stored = new Stored(History.EMPTY, -1);
        if (found.isPresent()) {
            History history = History.EMPTY;
            try {
                history = LedgerJson.read(found.get().value(), History.class, path);
            } catch (FormatTooNewException e) {
                throw work.forbid(e);
            } catch (IllegalArgumentException e) {
                log.error("The history of job {} cannot be read and begins anew: {}", job, e.getMessage());
            }
            stored = new Stored(history, found.get().version());
        }
        cache.put(job, stored);
        return stored;
    }
}
