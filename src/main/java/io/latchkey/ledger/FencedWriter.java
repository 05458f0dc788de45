package io.latchkey.ledger;

import io.latchkey.conf.Durations;
import io.latchkey.election.Gate;
import io.latchkey.election.Term;
import io.latchkey.ledger.Part.Result;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits parts under a term's fence: as many in one transaction as the limits allow, and a part that is in its own way
 * (somebody deleted or changed its node) is found and left out, the rest is tried again. Callers take turns, so that the
 * order of calls is the order of writes.
 */
class FencedWriter {
    private static final Logger log = LoggerFactory.getLogger(FencedWriter.class);

    /** How long an unknown outcome is looked into after its caller has given up, while the session lives. */
    private static final Duration AFTERMATH = Duration.ofHours(1);

    private final Term term;
    private final Duration patience;

    FencedWriter(Term term) {
        this(term, term.session().timeout());
    }

    /** @param patience how long an unknown outcome is looked into while the caller waits */
    FencedWriter(Term term, Duration patience) {
        this.term = term;
        this.patience = patience;
    }

    List<Result> commit(List<Part> parts) {
        return commit(parts, late -> {});
    }

    /**
     * Blocks until each part stands, failed, or is given up.
     *
     * @param late told of parts given up that are found to stand after all; on ZooKeeper's thread
     * @return as many results as parts, in order
     */
    synchronized List<Result> commit(List<Part> parts, Consumer<Part> late) {
        Map<Part, Result> results = new HashMap<>();
        List<Part> left = new ArrayList<>(parts);
        while (!left.isEmpty()) {
            List<Part> batch = new ArrayList<>();
            Transaction transaction = fence();
            int fence = transaction.size();
            while (!left.isEmpty() && transaction.hasRoomFor(left.get(0).ops())) {
                Part next = left.remove(0);
                transaction.addAll(next.ops());
                batch.add(next);
            }
            if (batch.isEmpty()) {
                Part tooLarge = left.remove(0);
                results.put(
                        tooLarge,
                        new Result.TooLarge(tooLarge.ops().sizeBytes() + " bytes in "
                                + tooLarge.ops().size() + " operations: more than one transaction may carry"));
                continue;
            }
            TxResult answer = send(transaction, batch, late);
            if (answer instanceof TxResult.Committed committed) {
                int at = fence;
                for (Part part : batch) {
                    int end = at + part.ops().size();
                    results.put(part, new Result.Stands(committed.ops().subList(at, end)));
                    at = end;
                }
            } else if (answer instanceof TxResult.Refused refused && refused.index() >= fence) {
                int at = fence;
                for (Part part : List.copyOf(batch)) {
                    int end = at + part.ops().size();
                    if (refused.index() < end) {
                        results.put(part, new Result.Failed(refused.index() - at, refused.reason()));
                        batch.remove(part);
                        break;
                    }
                    at = end;
                }
                left.addAll(0, batch);
            } else {
                batch.addAll(left);
                left.clear();
                Result ended = ended(answer);
                if (ended instanceof Result.Fenced fenced) {
                    // On the thread that learns it, before anything else: from here on nothing of this term may start.
                    term.over(Gate.Cause.FENCED, fenced.reason());
                }
                batch.forEach(part -> results.put(part, ended));
            }
        }
        return parts.stream()
                .map(results::get)
                .map(java.util.Objects::requireNonNull)
                .toList();
    }

    /** What every transaction begins with. Apart only so that a test can show what happens without it. */
    Transaction fence() {
        return term.fenced();
    }

    private TxResult send(Transaction transaction, List<Part> batch, Consumer<Part> late) {
        Part.Proof proof = batch.get(0).proof();
        long sent = System.nanoTime();
        TxResult answer;
        try {
            // The wait is longer than the patience inside, so what ends it is a known answer or Unknown.
            answer = Await.answer(
                    term.session().commitUntilKnown(transaction, proof::readBack, patience),
                    patience.plusSeconds(5),
                    "a transaction of term " + term.number());
        } catch (LedgerException e) {
            log.error("A transaction of term {} failed unexpectedly; taken as unknown", term.number(), e);
            answer = new TxResult.Unknown(TxResult.Cause.TIMEOUT);
        }
        if (answer.isCommitted()) {
            term.lease().confirmedWrite(sent);
        } else if (answer instanceof TxResult.Unknown) {
            lookInto(transaction, List.copyOf(batch), late);
        }
        return answer;
    }

    private void lookInto(Transaction transaction, List<Part> given, Consumer<Part> late) {
        var unused = term.session()
                .resolve(transaction, given.get(0).proof()::readBack, AFTERMATH)
                .whenComplete((end, failure) -> {
                    if (failure != null) {
                        log.error("Looking into an unknown transaction of term {} failed", term.number(), failure);
                    } else if (end.isCommitted()) {
                        given.forEach(late);
                    }
                });
    }

    private Result ended(TxResult answer) {
        if (answer instanceof TxResult.Refused refused) {
            return refused.index() >= 0
                    ? new Result.Fenced(
                            refused.index() == 0
                                    ? "another term began: /leader has changed (" + refused.reason() + ")"
                                    : "the latch node of this term is gone (" + refused.reason() + ")")
                    : new Result.Unknown("ZooKeeper refused the request as such: " + refused.reason());
        }
        return answer instanceof TxResult.SessionGone gone
                ? new Result.Unknown(gone.why())
                : new Result.Unknown("no answer from ZooKeeper within " + Durations.format(patience));
    }
}
