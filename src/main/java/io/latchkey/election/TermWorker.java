package io.latchkey.election;

import java.time.Duration;
import java.util.Optional;

/**
 * What an instance does with a term: the scheduler, as seen from the election.
 *
 * <p>{@link #inspect}, {@link #lead}, {@link #opened}, {@link #stop} and {@link #instanceGone} are called on the {@code leadership} thread,
 * one at a time. The others may be called from any thread, at any time, also with no term ever taken; {@link #unhealthy},
 * {@link #hasRunning} and {@link #interruptRunning} must return at once. A worker that throws from any of them loses the
 * lead, no more.
 */
public interface TermWorker {
    /**
     * Looks through what is in ZooKeeper for a record that this version must not act on, before this instance becomes a
     * candidate. On the {@code leadership} thread; may block for as long as reading takes.
     *
     * @throws io.latchkey.zookeeper.FormatTooNewException for such a record: it is not joined then
     * @throws Exception if it cannot be told now; it is tried again
     */
    void inspect() throws Exception;

    /**
     * The term is taken, its gate is closed still: load, recover, build. When this returns, the gate opens. It should
     * look at {@link Gate#isClosedForGood()} where it takes long.
     *
     * @throws io.latchkey.zookeeper.FormatTooNewException for a record of a newer version: the lead is given up until that
     *     record is gone; later in the term, call {@link Term#forbid}
     * @throws Exception the lead is then given up: {@link #stop} with {@link StopReason#FAILED}, latch released, a pause
     */
    void lead(Term term) throws Exception;

    /** The gate was opened: start. */
    void opened(Term term);

    /**
     * The term is over, its gate closed for good: shut down what {@link #lead} built, never to be used again. Called once
     * for each {@link #lead}, also for one that threw. Running jobs go on; the latch is released when this returns, so
     * it must not wait for them.
     */
    void stop(Term term, StopReason reason);

    /** Whether jobs run in this process, of whatever term. */
    boolean hasRunning();

    /**
     * Interrupt the running jobs that did not opt to continue: the session is not surely alive any more, or the drain
     * timeout is over. May be called again for the same jobs.
     */
    void interruptRunning(String why);

    /**
     * Wait until no job runs and all outcomes are recorded.
     *
     * @return false if it took longer
     */
    boolean awaitIdle(Duration atMost) throws InterruptedException;

    /**
     * An instance's node went while this term lasts.
     *
     * @param incarnation of the session that is gone; the same id may be back already under another
     */
    void instanceGone(String id, String incarnation);

    /** Why this worker cannot do its work now (a silent scheduler thread), or empty. The lead is given up on it. */
    Optional<String> unhealthy();
}
