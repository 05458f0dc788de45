package io.latchkey.ledger;

import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last terms, for people who want to see when the lead changed and when nobody had it. Written by each term about itself,
 * some time after it began and now and then while it lasts, under its fence, and at its end if it can; nothing depends on it.
 */
final class TermLog {
    /** How many terms are remembered. */
    static final int KEPT = 100;

    /** Half of what is promised: one write may fail. */
    private static final int EVERY = (int) PastTerm.RESOLUTION.toSeconds() / 2;

    private static final Logger log = LoggerFactory.getLogger(TermLog.class);

    private final TermWork work;
    private final Reads reads;
    /** What was written last, and the version that the node had then; for the end, which must not wait for a read. */
    private volatile @Nullable Written written;

    private int beats;

    TermLog(TermWork work, Reads reads) {
        this.work = work;
        this.reads = reads;
    }

    private record Written(List<PastTerm> terms, int version) {}

    /** What the node holds. */
    record Terms(List<PastTerm> terms) {
        Terms {
            terms = List.copyOf(terms);
        }
    }

    /** Writes down that this term goes on, if that is due. Called about once a second, by one caller at a time. */
    void write() throws LedgerException {
        if (written != null && ++beats % EVERY != 0) {
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
                        work.term().since(),
                        null,
                        null)
                .aliveAt(work.clock().instant()));
        Terms kept = new Terms(all.subList(Math.max(0, all.size() - KEPT), all.size()));
        byte[] data = LedgerJson.write(kept);
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
        if (result instanceof Part.Result.Stands) {
            written = new Written(kept.terms(), version + 1);
        }
    }

    /**
     * Writes down that this term has ended; waits for nothing. The version keeps it from overwriting what a later term wrote,
     * and where it is lost, what is known is when the term was last alive.
     */
    void end() {
        Written last = written;
        if (last == null) {
            return;
        }
        List<PastTerm> all = new ArrayList<>(last.terms());
        all.set(all.size() - 1, all.get(all.size() - 1).endedAt(work.clock().instant()));
        var unused = work.term()
                .session()
                .commit(new Transaction().set(work.nodes().terms(), LedgerJson.write(new Terms(all)), last.version()))
                .thenAccept(result -> log.debug("The end of {} is put on record: {}", work.term(), result));
    }
}
