package io.latchkey.scheduler;

import io.latchkey.conf.Durations;
import io.latchkey.conf.RunPolicy;
import io.latchkey.election.Term;
import io.latchkey.ledger.Claimed;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.FireLedger;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.Retry;
import io.latchkey.ledger.RunningRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
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
    private final Bounds bounds;
    private final AtomicBoolean closed = new AtomicBoolean();

    private @Nullable Thread thread;
    private @Nullable Job job;
    private @Nullable Interrupt interrupted;
    private Deadlines.@Nullable Watch deadline;
    private @Nullable Outcome outcome;
    private boolean retried;
    private boolean failedForGood;

    /**
     * Why a run was interrupted.
     *
     * @param timeout whether it took too long: it has failed, where otherwise the service has failed it
     */
    record Interrupt(String why, boolean timeout) {}

    Flight(Claimed claimed, TermContext in, Bounds bounds) {
        this.claimed = claimed;
        this.term = in.term();
        this.ledger = in.ledger();
        this.running = in.running();
        this.bounds = bounds;
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
        return bounds.policy().onLeadershipLost() == RunPolicy.LeadershipLost.CONTINUE;
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
        deadline = bounds.policy()
                .timeout()
                .map(timeout -> running.deadlines().watch(this, timeout))
                .orElse(null);
        return true;
    }

    /** Its job starts now: tells who listens. */
    void starting() {
        running.starting(this);
    }

    /** Watches its time, if that is limited and it has begun. */
    synchronized Optional<Deadlines.Watch> deadline() {
        return Optional.ofNullable(deadline);
    }

    boolean started() {
        return claimed.started();
    }

    /** Tells which object to interrupt, once the job has been made. */
    synchronized void runs(Job made) {
        job = made;
    }

    /** Why it was interrupted, if it was. */
    synchronized Optional<Interrupt> interrupted() {
        return Optional.ofNullable(interrupted);
    }

    /** How it ended, once it has. */
    synchronized Optional<Outcome> outcome() {
        return Optional.ofNullable(outcome);
    }

    /** Interrupts the job if it runs: in its own way if it has one, else its thread. May be called again. */
    void interrupt(String why) {
        interrupt(new Interrupt(why, false));
    }

    /** The same, because it has taken longer than {@code timeout}. */
    void timeOut(Duration timeout) {
        interrupt(new Interrupt("timed out after " + Durations.format(timeout), true));
    }

    private void interrupt(Interrupt why) {
        Job target;
        synchronized (this) {
            if (thread == null) {
                return;
            }
            if (interrupted == null) {
                interrupted = why;
                log.warn("Interrupting {} of job {}: {}", id(), job(), why.why());
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
        if (deadline != null) {
            deadline.cancel();
        }
    }

    /** What follows from an attempt that has ended so. */
    Retrying.Verdict verdict(Outcome ended) {
        return Retrying.decide(
                ended, record(), bounds, ThreadLocalRandom.current().nextDouble());
    }

    /** Records how it ended, or that it is tried again. Only the first call counts. */
    void end(Retrying.Verdict verdict, @Nullable Map<String, @Nullable Object> persistedJobData) {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        Optional<Retry> retry = verdict.retry();
        synchronized (this) {
            outcome = verdict.outcome();
            retried = retry.isPresent();
            failedForGood = verdict.failedForGood();
        }
        running.ending(
                this,
                retry.isPresent()
                        ? ledger.retry(claimed, verdict.outcome(), retry.get(), persistedJobData)
                        : ledger.complete(claimed, verdict.outcome(), persistedJobData));
    }

    /** Whether its fire is not over with this attempt: given back, or to be tried again. */
    synchronized boolean goesOn() {
        return isClosed() && (retried || !started());
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
            Outcome skipped = Outcome.failed(Outcome.Kind.SKIPPED, at, Duration.ZERO, why);
            end(Retrying.Verdict.last(skipped), null);
        }
    }

    /** Its record as it is written at its end, if that is a failure that nothing follows. */
    synchronized Optional<RunningRecord> failedForGood() {
        return failedForGood && outcome != null ? Optional.of(record().done(outcome)) : Optional.empty();
    }

    RunPolicy policy() {
        return bounds.policy();
    }

    boolean isClosed() {
        return closed.get();
    }
}
