package io.latchkey.scheduler;

import io.latchkey.conf.RunPolicy;
import io.latchkey.election.Term;
import io.latchkey.ledger.Claimed;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.FireLedger;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.RunningRecord;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.quartz.InterruptableJob;
import org.quartz.Job;
import org.quartz.JobKey;
import org.quartz.UnableToInterruptJobException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One claimed fire in this process, from its claim to its outcome. It is started once or given back once, and ended once,
 * whoever asks; it outlives the term that claimed it. Safe for use by any number of threads.
 */
final class Flight {
    private static final Logger log = LoggerFactory.getLogger(Flight.class);

    private final Claimed claimed;
    private final Term term;
    private final FireLedger ledger;
    private final RunningFires running;
    private final RunPolicy policy;
    private final AtomicBoolean closed = new AtomicBoolean();

    private @Nullable Thread thread;
    private @Nullable Job job;
    private @Nullable String interrupted;
    private @Nullable Outcome outcome;

    Flight(Claimed claimed, Term term, FireLedger ledger, RunningFires running, RunPolicy policy) {
        this.claimed = claimed;
        this.term = term;
        this.ledger = ledger;
        this.running = running;
        this.policy = policy;
    }

    FireId id() {
        return claimed.id();
    }

    JobKey job() {
        return claimed.record().job();
    }

    RunningRecord record() {
        return claimed.record();
    }

    Term term() {
        return term;
    }

    /** Whether the job opted to go on when its instance may not be the leader any more. */
    boolean continuesWithoutLead() {
        return policy.onLeadershipLost() == RunPolicy.LeadershipLost.CONTINUE;
    }

    /**
     * The last moment before the job: false if it must not start, because the term is over or the claim was given back.
     * The calling thread is the one that is interrupted from now on.
     */
    synchronized boolean begin() {
        if (!claimed.tryStart(term)) {
            return false;
        }
        thread = Thread.currentThread();
        return true;
    }

    boolean started() {
        return claimed.started();
    }

    /** Tells which object to interrupt, once the job has been made. */
    synchronized void runs(Job made) {
        job = made;
    }

    /** Why it was interrupted, if it was. */
    synchronized Optional<String> interrupted() {
        return Optional.ofNullable(interrupted);
    }

    /** How it ended, once it has. */
    synchronized Optional<Outcome> outcome() {
        return Optional.ofNullable(outcome);
    }

    /** Interrupts the job if it runs: in its own way if it has one, else its thread. May be called again. */
    void interrupt(String why) {
        Job target;
        synchronized (this) {
            if (thread == null) {
                return;
            }
            if (interrupted == null) {
                interrupted = why;
                log.warn("Interrupting {} of job {}: {}", id(), job(), why);
            }
            target = job;
            if (!(target instanceof InterruptableJob)) {
                thread.interrupt();
                return;
            }
        }
        try {
            ((InterruptableJob) target).interrupt();
        } catch (UnableToInterruptJobException | RuntimeException e) {
            log.warn("Job {} refused to be interrupted ({}); it runs on", job(), id(), e);
        }
    }

    /** Whether its job has called System.exit: its thread waits in there for the process to end, and never comes back. */
    boolean hasCalledExit() {
        Thread runs;
        synchronized (this) {
            runs = thread;
        }
        return runs != null
                && Arrays.stream(runs.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals(Runtime.class.getName())
                                && frame.getMethodName().equals("exit"));
    }

    /**
     * The job's code has ended. From here on its thread is not interrupted any more, so that an interrupt meant for this
     * run cannot reach the next.
     */
    synchronized void leaves() {
        thread = null;
        job = null;
    }

    /** Records how it ended. Only the first call counts. */
    void end(Outcome end, @Nullable Map<String, @Nullable Object> persistedJobData) {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        synchronized (this) {
            outcome = end;
        }
        running.ending(this, ledger.complete(claimed, end, persistedJobData));
    }

    /** Gives back a fire that has not started. False if it has, or had been given back or ended before. */
    boolean giveBack(String why) {
        if (!claimed.tryRelease() || !closed.compareAndSet(false, true)) {
            return false;
        }
        log.info("Fire {} of job {} did not start: {}. It is given back, and whoever leads runs it", id(), job(), why);
        running.ending(this, ledger.release(claimed));
        return true;
    }

    /** Ends a fire that was kept from starting by a listener, not by the term. */
    void skip(Instant at, String why) {
        if (claimed.tryRelease()) {
            end(Outcome.failed(Outcome.Kind.SKIPPED, at, java.time.Duration.ZERO, why), null);
        }
    }

    boolean isClosed() {
        return closed.get();
    }
}
