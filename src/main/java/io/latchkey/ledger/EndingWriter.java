package io.latchkey.ledger;

import io.latchkey.zookeeper.NotConnectedException;
import io.latchkey.zookeeper.ReadBack;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes outcomes and releases: grouped into transactions, a few of them under way at once, in order. What waits while
 * they are under way makes the next group, so groups grow with the load. A group that is refused because one record in it
 * has gone or changed is written again one by one, or the others would be left over.
 *
 * <p>All state belongs to the one {@code ledger} thread.
 */
final class EndingWriter implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EndingWriter.class);
    private static final int UNDER_WAY = 4;
    private static final Duration PAUSE = Duration.ofMillis(250);

    private final ScheduledExecutorService thread;
    private final Sessions sessions;
    private final Parents parents;
    private final Consumer<Held> recorded;

    private final Deque<Ending> waiting = new ArrayDeque<>();

    /** Those to be written by themselves, once nothing is under way: so an older run's data never covers a newer's. */
    private final Deque<Ending> alone = new ArrayDeque<>();

    private final Map<String, Long> dataWritten = new HashMap<>();
    private long endings;
    private int underWay;
    private int open;
    private boolean closed;
    private final CompletableFuture<Void> idle = new CompletableFuture<>();

    /** @param recorded told of each record that was written, on the ledger thread */
    EndingWriter(ScheduledExecutorService thread, Sessions sessions, Parents parents, Consumer<Held> recorded) {
        this.thread = thread;
        this.sessions = sessions;
        this.parents = parents;
        this.recorded = recorded;
    }

    CompletableFuture<Completion> write(Ending ending) {
        try {
            thread.execute(() -> {
                open++;
                ending.seq = ++endings;
                if (closed) {
                    end(ending, new Completion.GivenUp("the ledger is closed"));
                    return;
                }
                waiting.add(ending);
                pump();
            });
        } catch (RejectedExecutionException e) {
            log.warn("{} ended after the ledger was closed: recovery decides it", ending.end.id(), e);
            ending.future.complete(new Completion.GivenUp("the ledger is closed"));
        }
        return ending.future;
    }

    private void pump() {
        if (!alone.isEmpty()) {
            if (underWay == 0) {
                List<Ending> now = List.copyOf(alone);
                alone.clear();
                now.forEach(e -> send(e.session, List.of(e), part(e).ops()));
            }
            return;
        }
        while (underWay < UNDER_WAY && !waiting.isEmpty()) {
            Session session = waiting.element().session;
            List<Ending> group = new ArrayList<>();
            Transaction transaction = new Transaction();
            while (!waiting.isEmpty() && waiting.element().session == session) {
                Part part = part(waiting.element());
                if (!transaction.hasRoomFor(part.ops()) && !group.isEmpty()) {
                    break;
                }
                transaction.addAll(part.ops());
                group.add(waiting.remove());
            }
            send(session, group, transaction);
        }
    }

    private Part part(Ending e) {
        String jobPath = e.jobPath();
        return e.part(jobPath != null && dataWritten.getOrDefault(jobPath, 0L) < e.seq);
    }

    private void send(Session session, List<Ending> group, Transaction transaction) {
        underWay++;
        long sent = System.nanoTime();
        Part.Proof proof = part(group.get(0)).proof();
        CompletableFuture<TxResult> answer;
        try {
            answer = session.commitUntilKnown(transaction, proof::readBack, session.timeout());
        } catch (IllegalArgumentException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        var unused = answer.whenComplete((result, failure) -> thread.execute(() -> {
            underWay--;
            if (failure != null) {
                log.error(
                        "The outcome of {} cannot be written; recovery decides it",
                        group.get(0).end.id(),
                        failure);
                group.forEach(e -> end(e, new Completion.GivenUp(String.valueOf(failure.getMessage()))));
            } else {
                answered(session, group, result, sent);
            }
            pump();
        }));
    }

    private void answered(Session session, List<Ending> group, TxResult result, long sent) {
        if (result.isCommitted()) {
            for (Ending e : group) {
                if (e.fire.term().session() == session) {
                    e.fire.term().lease().confirmedWrite(sent);
                }
                String jobPath = e.jobPath();
                if (jobPath != null) {
                    dataWritten.merge(jobPath, e.seq, Math::max);
                }
                recorded.accept(e.written());
                end(e, new Completion.Recorded());
            }
        } else if (result instanceof TxResult.Refused refused) {
            if (group.size() > 1) {
                log.debug("A group of {} outcomes was refused ({}); each is written by itself", group.size(), refused);
                alone.addAll(group);
            } else {
                refused(session, group.get(0), refused);
            }
        } else {
            group.forEach(this::later);
        }
    }

    /** Its own first try may be what it met: on another session nobody has asked yet. So read before giving it up. */
    private void refused(Session session, Ending e, TxResult.Refused refused) {
        String jobPath = e.jobPath();
        if (refused.index() == 1 && refused.reason() == TxResult.Reason.NO_NODE && jobPath != null) {
            try {
                parents.forget();
                parents.ensure(jobPath, session);
                alone.add(e);
            } catch (LedgerException failure) {
                log.warn("The data of job {} cannot be written yet; trying again", e.end.job(), failure);
                later(e);
            }
            return;
        }
        underWay++;
        var unused = part(e).proof()
                .readBack(session)
                .whenComplete((answer, failure) -> thread.execute(() -> {
                    underWay--;
                    if (answer instanceof ReadBack.Ours) {
                        recorded.accept(e.written());
                        end(e, new Completion.Recorded());
                    } else if (answer instanceof ReadBack.NotOurs) {
                        log.warn(
                                "{} ended {} here, but its record was decided by another or deleted ({}): that stands",
                                e.end.id(),
                                e.end.outcome() == null
                                        ? e.end.state()
                                        : e.end.outcome().kind(),
                                refused.reason());
                        end(e, new Completion.Overtaken("its record has changed or is gone: " + refused.reason()));
                    } else {
                        if (failure != null) {
                            log.error("Reading the record of {} failed; trying again", e.end.id(), failure);
                        }
                        later(e);
                    }
                    pump();
                }));
    }

    /** Not known yet: again in a moment, on the same session or, where that is gone, on the one there is then. */
    private void later(Ending e) {
        if (closed) {
            end(e, new Completion.GivenUp("the ledger was closed before ZooKeeper answered"));
            return;
        }
        if (!e.session.alive() && e.isRelease()) {
            end(e, new Completion.GivenUp("the session that claimed is over"));
            return;
        }
        var unused = thread.schedule(
                () -> {
                    if (!e.session.alive()) {
                        try {
                            e.session = sessions.current();
                        } catch (NotConnectedException notYet) {
                            log.debug("No session to write the outcome of {} on", e.end.id(), notYet);
                            later(e);
                            return;
                        }
                    }
                    alone.add(e);
                    pump();
                },
                PAUSE.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private void end(Ending e, Completion completion) {
        open--;
        if (completion instanceof Completion.GivenUp givenUp) {
            log.warn(
                    "It is not known whether the end of {} is on record ({}): recovery decides it",
                    e.end.id(),
                    givenUp);
        }
        e.future.complete(completion);
        if (closed && open == 0) {
            idle.complete(null);
        }
    }

    /** Waits up to {@code patience} for what is under way; what is still open then is given up when it is answered. */
    void close(Duration patience) {
        thread.execute(() -> {
            closed = true;
            if (open == 0) {
                idle.complete(null);
            }
        });
        try {
            Await.answer(idle, patience, "the outcomes under way");
        } catch (LedgerException e) {
            log.warn("Closing with outcomes not on record; recovery decides those fires", e);
        }
    }

    @Override
    public void close() {
        close(Duration.ofSeconds(5));
    }
}
