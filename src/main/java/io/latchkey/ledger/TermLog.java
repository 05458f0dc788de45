package io.latchkey.ledger;

import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last terms, for people who want to see when the lead changed. Written by each term about itself, some time after it
 * began, and under its fence; nothing depends on it.
 */
final class TermLog {
    /** How many terms are remembered. */
    static final int KEPT = 100;

    private static final Logger log = LoggerFactory.getLogger(TermLog.class);

    private final TermWork work;
    private final Reads reads;
    private boolean done;

    TermLog(TermWork work, Reads reads) {
        this.work = work;
        this.reads = reads;
    }

    /** What the node holds. */
    record Terms(List<PastTerm> terms) {
        Terms {
            terms = List.copyOf(terms);
        }
    }

    /** Writes this term down, if it has not been. One caller at a time. */
    void write() throws LedgerException {
        if (done) {
            return;
        }
        String path = work.nodes().terms();
        Optional<Found<byte[]>> found = reads.get(path);
        List<PastTerm> all = new ArrayList<>();
        if (found.isPresent()) {
            try {
                all.addAll(
                        LedgerJson.read(found.get().value(), Terms.class, path).terms());
            } catch (IllegalArgumentException e) {
                log.warn("The record of past terms cannot be read and begins anew: {}", e.getMessage());
            }
        }
        all.removeIf(term -> term.number() >= work.term().number());
        all.add(new PastTerm(
                work.term().number(),
                work.term().token(),
                work.term().instanceId(),
                work.term().since()));
        byte[] data = LedgerJson.write(new Terms(all.subList(Math.max(0, all.size() - KEPT), all.size())));
        Transaction ops = new Transaction();
        int version = found.map(Found::version).orElse(-1);
        if (found.isPresent()) {
            ops.set(path, data, version);
        } else {
            ops.create(path, data);
        }
        Part.Result result = work.writer()
                .commit(List.of(new Part(ops, Part.holds(path, data, version + 1))))
                .get(0);
        done = result instanceof Part.Result.Stands;
    }
}
