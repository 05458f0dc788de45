package io.latchkey.election;

import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What must not wait for the {@code leadership} thread, which may be busy: heartbeats, the end of the lease, and noticing
 * that the worker or that thread itself is stuck. One tick is short and blocks on nothing; all ticks are on one thread.
 */
final class LeaseWatch {
    private static final Logger log = LoggerFactory.getLogger(LeaseWatch.class);

    private final Standing standing;
    private final TermWorker worker;
    private final LatchElector latch;
    private final Supplier<InstanceRecord> record;
    private final Duration stuckAfter;
    private final Time time;
    private final Runnable poke;

    private final AtomicBoolean beating = new AtomicBoolean();
    private long interruptedNanos;
    private boolean interrupting;
    private boolean saidStuck;

    /**
     * @param record of this instance, as it is now
     * @param poke wakes the leadership thread
     */
    LeaseWatch(
            Standing standing,
            TermWorker worker,
            LatchElector latch,
            Supplier<InstanceRecord> record,
            Duration stuckAfter,
            Time time,
            Runnable poke) {
        this.standing = standing;
        this.worker = worker;
        this.latch = latch;
        this.record = record;
        this.stuckAfter = stuckAfter;
        this.time = time;
        this.poke = poke;
    }

    void tick() {
        Membership membership = standing.membership;
        Term term = standing.term;
        boolean running = running();
        if (term != null && !term.gate().isClosedForGood() && !term.lease().isValid()) {
            closeGate(Gate.Cause.LEASE, "the lease ran out: " + term.lease().whyNot());
        }
        if (running && (membership == null || !membership.lease().isValid())) {
            interruptRunning();
        } else {
            interrupting = false;
        }
        if (membership != null && membership.lost().isEmpty()) {
            beat(membership, term, running);
        }
        checkWorker(term);
        checkLeadershipThread();
        poke.run();
    }

    private boolean running() {
        try {
            return worker.hasRunning();
        } catch (RuntimeException e) {
            log.error("The worker cannot say whether jobs run; taken for yes", e);
            return true;
        }
    }

    /** Again and again while it lasts: a job may have passed its last check just before the lease ran out. */
    private void interruptRunning() {
        Membership membership = standing.membership;
        Duration again = membership == null
                ? Duration.ofSeconds(1)
                : membership.session().timeout().dividedBy(10);
        long now = time.nanoTime();
        if (interrupting && now - interruptedNanos < again.toNanos()) {
            return;
        }
        if (!interrupting) {
            log.warn("The session is not surely alive any more and jobs still run here: interrupting those that do not"
                    + " opt to continue, before another instance can lead");
        }
        interrupting = true;
        interruptedNanos = now;
        try {
            worker.interruptRunning("this instance's ZooKeeper session is not surely alive any more");
        } catch (RuntimeException e) {
            log.error("Running jobs could not be interrupted; they may overlap with their next run elsewhere", e);
        }
    }

    private void beat(Membership membership, @Nullable Term term, boolean running) {
        boolean leading = term != null && !term.gate().isClosedForGood();
        Duration interval = membership.session().timeout().dividedBy(10);
        if ((!leading && !running)
                || membership.lease().sinceConfirmed().compareTo(interval) < 0
                || !beating.compareAndSet(false, true)) {
            return;
        }
        Transaction fences = leading && term != null ? term.fenced() : new Transaction();
        CompletableFuture<TxResult> sent = membership.write(record.get(), fences, time);
        CompletableFuture<?> unused = sent.whenComplete((result, failure) -> {
            beating.set(false);
            if (failure != null) {
                log.error("A heartbeat ended by a surprise; the lease goes on until it runs out", failure);
            } else if (term != null && result instanceof TxResult.Refused refused && refused.index() < fences.size()) {
                term.over(
                        Gate.Cause.FENCED,
                        refused.index() == 0
                                ? "a heartbeat was refused: /leader is not at this term's version any more"
                                : "a heartbeat was refused: the own latch node is gone");
            }
        });
    }

    private void checkWorker(@Nullable Term term) {
        if (term == null || !term.gate().isOpen()) {
            return;
        }
        Optional<String> sick = unhealthy();
        if (sick.isPresent()) {
            standing.workerFailed = true;
            standing.trouble = sick.get();
            log.error("The scheduler of {} cannot do its work: {}. Giving the lead up", term, sick.get());
            closeGate(Gate.Cause.FAILED, "the scheduler cannot do its work: " + sick.get());
        }
    }

    Optional<String> unhealthy() {
        try {
            return worker.unhealthy();
        } catch (RuntimeException e) {
            log.error("The worker cannot say how it fares; taken for unhealthy", e);
            return Optional.of("it cannot say how it fares: " + e);
        }
    }

    /** How long the leadership thread has been at one piece of work beyond what is tolerated, or empty. */
    Optional<Duration> stuck() {
        long since = standing.busySinceNanos;
        long busy = since == 0 ? 0 : time.nanoTime() - since;
        return busy > stuckAfter.toNanos() ? Optional.of(Duration.ofNanos(busy)) : Optional.empty();
    }

    /** The latch must never be held by one that cannot lead: it is released over the head of a thread that hangs. */
    private void checkLeadershipThread() {
        Optional<Duration> stuck = stuck();
        if (stuck.isEmpty()) {
            saidStuck = false;
        } else if (!saidStuck) {
            saidStuck = true;
            standing.workerFailed = standing.term != null;
            standing.trouble = "the leadership thread is stuck";
            log.error(
                    "The leadership thread has been at one piece of work for {} ms as {}: closing the gate and"
                            + " releasing the latch without it. A thread dump shows what it waits for; restart this"
                            + " instance",
                    stuck.get().toMillis(),
                    standing.role.text());
            closeGate(Gate.Cause.FAILED, "the leadership thread is stuck");
            latch.leave();
        }
    }

    private void closeGate(Gate.Cause cause, String why) {
        standing.gate.close(cause, why);
        poke.run();
    }
}
