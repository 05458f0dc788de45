package io.latchkey.ledger;

import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.ZNodes;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An outcome, a retry or a release on its way to the ledger: one versioned write of the record, and perhaps of the job's data. */
final class Ending {
    final Claimed fire;
    final RunningRecord end;
    final CompletableFuture<Completion> future = new CompletableFuture<>();
    private final ZNodes nodes;
    private final byte[] data;
    private final byte @Nullable [] jobData;

    /** Its place among all endings, once it has one. */
    long seq;

    /** The session to write on: the one that claimed while it lives, later (an outcome alone) the one there is then. */
    Session session;

    Ending(ZNodes nodes, Claimed fire, RunningRecord end, byte @Nullable [] jobData) {
        this.nodes = nodes;
        this.fire = fire;
        this.end = end;
        this.data = LedgerJson.write(end);
        this.jobData = jobData;
        this.session = fire.term().session();
    }

    /**
     * A release is good on the session that claimed alone: with that gone, the fire is in flight like any other. A retry
     * is not one: its attempt has ended, as with an outcome.
     */
    boolean isRelease() {
        return end.state() == RunningRecord.State.RELEASED && end.retry().isEmpty();
    }

    String path() {
        return nodes.running(end.id().toString());
    }

    @Nullable
    String jobPath() {
        return jobData == null
                ? null
                : nodes.job(end.job().getGroup(), end.job().getName());
    }

    Held written() {
        return new Held(end, fire.version() + 1);
    }

    /**
     * Never a check of {@code /leader}: whoever ran the fire records its outcome, leader or not.
     *
     * @param withData whether the job's data is to be written too: not where a later run has written its own
     */
    Part part(boolean withData) {
        Transaction ops = new Transaction().set(path(), data, fire.version());
        String jobPath = jobPath();
        if (withData && jobPath != null && jobData != null) {
            ops.set(jobPath, jobData, Transaction.ANY_VERSION);
        }
        return new Part(ops, Part.holds(path(), data, fire.version() + 1));
    }
}
