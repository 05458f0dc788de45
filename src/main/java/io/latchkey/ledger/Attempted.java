package io.latchkey.ledger;

import io.latchkey.zookeeper.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One claim request on its way to a result: the part it was made into, and what of it is still to be written. */
final class Attempted {
    /** What an operation of the part is for. */
    enum Use {
        CURSOR,
        REQUEST,
        RECORD,
        RETAKE,
        SKIP
    }

    final ClaimRequest request;
    private final List<Use> uses = new ArrayList<>();
    boolean withRecord = true;
    boolean withSkip = true;

    @Nullable
    Held held;

    @Nullable
    Held skipped;

    @Nullable
    Part part;

    @Nullable
    ClaimResult result;

    Attempted(ClaimRequest request) {
        this.request = request;
    }

    FireId id() {
        return request.id();
    }

    Use use(int op) {
        return uses.get(op);
    }

    int opOf(Use use) {
        return uses.indexOf(use);
    }

    /** Makes the part anew from what is still to be written. */
    void build(TermWork work) {
        uses.clear();
        held = null;
        skipped = null;
        Transaction ops = new Transaction();
        Part.Proof proof;
        if (request instanceof ClaimRequest.Due due) {
            proof = work.put(ops, due.after());
            uses.add(Use.CURSOR);
            proof = record(work, ops, RunningRecord.claimed(due.id(), due.job(), due.info(), work.attempt(1)), proof);
            if (withSkip && due.skip().isPresent()) {
                skipped = new Held(RunningRecord.skipped(due.skip().get(), work.attempt(1)), 0);
                work.create(ops, skipped.record());
                uses.add(Use.SKIP);
            }
        } else if (request instanceof ClaimRequest.Requested asked
                && asked.request().job() != null) {
            String path = work.nodes().request(asked.request().seq());
            ops.delete(path, Transaction.ANY_VERSION);
            uses.add(Use.REQUEST);
            RunningRecord record = RunningRecord.claimed(id(), asked.request().job(), asked.info(), work.attempt(1));
            proof = record(work, ops, record, Part.gone(path));
        } else if (request instanceof ClaimRequest.Retake retake) {
            RunningRecord was = retake.previous().record();
            int number = was.current().number() + (was.state() == RunningRecord.State.RELEASED ? 0 : 1);
            held = new Held(was.retaken(work.attempt(number)), retake.previous().version() + 1);
            String path = work.runningPath(id());
            byte[] data = LedgerJson.write(held.record());
            ops.set(path, data, retake.previous().version());
            uses.add(Use.RETAKE);
            proof = Part.holds(path, data, held.version());
        } else {
            throw new IllegalArgumentException("nothing to claim in " + request);
        }
        part = new Part(ops, proof);
    }

    /** A record carries the nonce of this very claim: better proof than what comes before it. */
    private Part.Proof record(TermWork work, Transaction ops, RunningRecord record, Part.Proof otherwise) {
        if (!withRecord) {
            return otherwise;
        }
        held = new Held(record, 0);
        uses.add(Use.RECORD);
        return work.create(ops, record);
    }
}
