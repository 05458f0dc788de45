package io.latchkey.ledger;

import io.latchkey.ledger.AuditRecord.Answer;
import io.latchkey.ledger.AuditRecord.Verdict;
import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader's part of the audit: what became of each request. A request without a record (jobs' own, an older version's)
 * has none here either. Nothing of this is on a claim's way, and a record that is damaged keeps no request from its answer.
 */
final class AuditTrail {
    private static final Logger log = LoggerFactory.getLogger(AuditTrail.class);
    /** Kept beyond the number promised, so that it is not cut each time. */
    private static final int SLACK = 50;

    private final TermWork work;
    private final Reads reads;

    AuditTrail(TermWork work, Reads reads) {
        this.work = work;
        this.reads = reads;
    }

    /** The write that records an answer, to go with the one that gives it; empty where there is nothing to record in. */
    Optional<Transaction> answer(String seq, Verdict verdict) throws LedgerException {
        return answer(
                seq,
                new Answer(verdict, null, work.term().instanceId(), work.clock().instant()));
    }

    private Optional<Transaction> answer(String seq, Answer answer) throws LedgerException {
        String path = work.nodes().audit(seq);
        Optional<Found<byte[]>> found = reads.get(path);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try {
            AuditRecord record = LedgerJson.read(found.get().value(), AuditRecord.class, path);
            return record.answer() != null
                    ? Optional.empty()
                    : Optional.of(new Transaction()
                            .set(
                                    path,
                                    LedgerJson.write(record.answered(answer)),
                                    found.get().version()));
        } catch (IllegalArgumentException e) {
            log.warn("The audit record {} cannot be read and stays as it is: {}", path, e.getMessage());
            return Optional.empty();
        }
    }

    /** A run that was asked for has ended. Should this not be written, the history tells it as long as it is kept. */
    void ended(RunningRecord record) {
        Outcome outcome = record.outcome();
        String name = record.id().trigger().getName();
        int hash = name.lastIndexOf('#');
        if (outcome == null
                || !record.id().trigger().getGroup().equals(Request.GROUP)
                || hash < 0
                || hash == name.length() - 1) {
            return;
        }
        try {
            Instant at = outcome.at();
            Optional<Transaction> write = answer(
                    name.substring(hash + 1),
                    new Answer(Verdict.RAN, outcome.kind(), record.owner().instance(), at));
            if (write.isPresent()) {
                String path = work.nodes().audit(name.substring(hash + 1));
                Part.Result result = work.writer()
                        .commit(List.of(new Part(write.get(), session -> Part.exists(path, session))))
                        .get(0);
                log.debug("Audit of {}: {}", record.id(), result);
            }
        } catch (LedgerException | IllegalArgumentException e) {
            log.debug("Not in the audit now: {}", record.id(), e);
        }
    }

    /** Cuts the oldest off. What still waits for an answer stays. */
    void trim() throws LedgerException {
        List<String> paths = reads.childPaths(work.nodes().audit());
        if (paths.size() <= AuditRecord.KEPT + SLACK) {
            return;
        }
        List<String> waiting = reads.children(work.nodes().requests());
        List<Found<Stat>> oldest = new ArrayList<>(reads.stats(paths));
        oldest.sort(Comparator.comparingLong(found -> found.value().getCzxid()));
        oldest.removeIf(found -> waiting.contains(io.latchkey.zookeeper.ZNodes.nameOf(found.path())));
        for (Found<Stat> found : oldest.subList(0, Math.max(0, oldest.size() - AuditRecord.KEPT))) {
            String path = found.path();
            Part.Result result = work.writer()
                    .commit(List.of(new Part(new Transaction().delete(path, Transaction.ANY_VERSION), Part.gone(path))))
                    .get(0);
            if (result instanceof Part.Result.Fenced) {
                return;
            }
        }
    }
}
