package io.latchkey.ledger;

import io.latchkey.election.Term;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A fire that is ours. It is started or released, never both: one local compare-and-set decides, because asking the
 * gate and then starting, in two steps, would race with a release.
 */
public final class Claimed implements ClaimResult {
    private enum Local {
        CLAIMED,
        STARTED,
        RELEASED
    }

    private final Held held;
    private final Term term;
    private final AtomicReference<Local> local = new AtomicReference<>(Local.CLAIMED);

    /**
     * @param held the record as it was written
     * @param term the term that claimed; on its session alone a release is good
     */
    public Claimed(Held held, Term term) {
        this.held = held;
        this.term = term;
    }

    @Override
    public FireId id() {
        return held.record().id();
    }

    /** The record as it was written by the claim. */
    public RunningRecord record() {
        return held.record();
    }

    /** The version that the next change of the record must find. */
    public int version() {
        return held.version();
    }

    /** The term that claimed. */
    public Term term() {
        return term;
    }

    /**
     * To be asked at the last moment before the job is started: true once, and only if it is the term that claimed, its
     * gate is open, its lease runs, and the claim was not released. On false the job must not start.
     */
    public boolean tryStart(Term asking) {
        return asking == term && term.mayStart() && local.compareAndSet(Local.CLAIMED, Local.STARTED);
    }

    /** True once, and only if the fire was not started: the caller then gives it back. */
    public boolean tryRelease() {
        return local.compareAndSet(Local.CLAIMED, Local.RELEASED);
    }

    /** Whether the fire was started. */
    public boolean started() {
        return local.get() == Local.STARTED;
    }

    @Override
    public String toString() {
        return "Claimed[" + id() + ", attempt " + record().current().number() + ", " + local.get() + "]";
    }
}
