package io.latchkey.election;

import io.latchkey.lifecycle.Faults;
import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.ZNodes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Terms from their taking to their end, one at a time: what the worker is told, and what becomes of the latch after each.
 * The {@code leadership} thread's own.
 */
final class Terms {
    // The election speaks under one name.
    private static final Logger log = LoggerFactory.getLogger(Leadership.class);

    /** Terms that end at once while the latch stays held, before it is given up. */
    private static final int MAX_STALLS = 3;

    private static final Duration STALL_PAUSE = Duration.ofMillis(100);

    private final ZNodes nodes;
    private final Standing standing;
    private final Profile profile;
    private final LatchElector latch;
    private final TermWorker worker;
    private final Backoff backoff;
    private final Time time;
    private final TermTaker taker;
    private final Obstacles obstacles;
    private final BooleanSupplier closing;
    private final Executor onLoop;
    private final Runnable poke;

    private final List<Consumer<Term>> listeners = new CopyOnWriteArrayList<>();
    private @Nullable InstanceWatch instances;
    private int stalls;
    private long nextTakeNanos;
    private long termNanos;

    /**
     * @param closing whether this instance is to end: no term is taken then
     * @param onLoop the leadership thread
     * @param poke wakes it
     */
    Terms(
            Shared shared,
            TermTaker taker,
            Obstacles obstacles,
            BooleanSupplier closing,
            Executor onLoop,
            Runnable poke) {
        this.nodes = shared.nodes();
        this.standing = shared.standing();
        this.profile = shared.profile();
        this.latch = shared.latch();
        this.worker = shared.worker();
        this.backoff = shared.backoff();
        this.time = shared.time();
        this.taker = taker;
        this.obstacles = obstacles;
        this.closing = closing;
        this.onLoop = onLoop;
        this.poke = poke;
        this.nextTakeNanos = time.nanoTime();
    }

    /** Calls back with each term that is taken, before anything is done with it. The listener must be trivial. */
    void onTaken(Consumer<Term> listener) {
        listeners.add(listener);
    }

    /** Takes a term and leads it, if the latch is held and no pause is on. */
    void tryTake(Membership membership) throws InterruptedException {
        Optional<String> held = latch.held();
        if (held.isPresent() && time.nanoTime() - nextTakeNanos >= 0) {
            take(membership, held.get());
        }
    }

    private void take(Membership membership, String node) throws InterruptedException {
        // In place before anything is read: whatever closes it from here on, this term ends.
        Gate gate = new Gate(time.nanos());
        standing.workerFailed = false;
        standing.handover = false;
        standing.lossHeard = false;
        standing.gate = gate;
        if (latch.held().filter(node::equals).isEmpty()
                || !membership.session().connected()
                || closing.getAsBoolean()) {
            gate.close("the latch went before the term was taken");
            return;
        }
        profile.become(Role.TAKING, "holds the latch with " + ZNodes.nameOf(node));
        TermTaker.Result result = taker.take(membership.session(), node, profile.info());
        if (result instanceof TermTaker.Result.Taken taken) {
            membership.lease().confirmedWrite(taken.sentNanos());
            Term term =
                    new Term(taken.tenure(), nodes, membership.session(), gate, membership.lease(), why -> poke.run());
            standing.term = term;
            listeners.forEach(listener -> listener.accept(term));
            termNanos = time.nanoTime();
            instances = new InstanceWatch(
                    membership.session(),
                    nodes,
                    (who, incarnation) -> onLoop.execute(() -> gone(term, who, incarnation)));
            instances.start();
            lead(term);
        } else if (result instanceof TermTaker.Result.Blocked blocked) {
            gate.close("blocked");
            latch.leave();
            obstacles.block(blocked.obstacle());
        } else if (result instanceof TermTaker.Result.Lost lost) {
            gate.close(lost.why());
            stalled("no term taken: " + lost.why());
        } else if (result instanceof TermTaker.Result.Stalled stall) {
            gate.close(stall.why());
            stalled("no term taken: " + stall.why());
        }
    }

    /** The term could not be taken, or ended at once, though the latch is held: again after a pause, then another's turn. */
    void stalled(String why) {
        stalls++;
        if (stalls < MAX_STALLS || !latch.joined()) {
            nextTakeNanos = time.nanoTime() + STALL_PAUSE.toNanos() * (1L << stalls);
            profile.become(Role.STANDBY, why);
        } else {
            standBack(why);
        }
    }

    private void standBack(String why) {
        latch.leave();
        stalls = 0;
        standing.trouble = why;
        Duration pause = backoff.begin();
        profile.become(Role.BACKING_OFF, "gave the latch up for " + pause.toMillis() + " ms: " + why);
    }

    private void lead(Term term) throws InterruptedException {
        try {
            worker.lead(term);
            if (term.gate().open()) {
                profile.become(
                        Role.LEADING,
                        term + ", "
                                + Duration.ofNanos(time.nanoTime() - termNanos).toMillis() + " ms after taking it");
                worker.opened(term);
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (FormatTooNewException e) {
            term.forbid(e);
        } catch (Throwable e) {
            // All of them: an Error in a job author's class must not leave a leader that runs nothing.
            failed(term, "it could not start the scheduler of " + term, e);
        }
        if (term.gate().isClosedForGood()) {
            stop(term);
        }
    }

    private void failed(Term term, String what, Throwable e) {
        if (Faults.isFatal(e)) {
            term.gate().close("fatal error");
            throw new IllegalStateException("Fatal: " + what, e);
        }
        if (term.gate().isClosedForGood() && !standing.workerFailed) {
            if (term.forbidden().isPresent()) {
                log.debug("What is said when it is stopped", e);
                return;
            }
            log.info(
                    "{} was over ({}) before its scheduler was ready: {}",
                    term,
                    term.gate().reason(),
                    e.toString());
            log.debug("What failed as it was over", e);
            return;
        }
        standing.workerFailed = true;
        standing.trouble = what + ": " + e;
        log.error("Leading failed: {} ({}). The lead is given up, so that another instance can take it", what, e, e);
        term.gate().close(what + ": " + e);
    }

    private void gone(Term term, String who, String incarnation) {
        if (standing.term != term || term.gate().isClosedForGood()) {
            return;
        }
        log.info("Instance \"{}\" (session {}) is gone: deciding what it had running", who, incarnation);
        standing.busySinceNanos = time.nanoTime() | 1;
        try {
            worker.instanceGone(who, incarnation);
        } catch (Throwable e) {
            failed(term, "it could not decide what instance \"" + who + "\" had running", e);
            poke.run();
        } finally {
            standing.busySinceNanos = 0;
        }
    }

    void stop(Term term) {
        StopReason kind =
                standing.handover ? StopReason.HANDOVER : standing.workerFailed ? StopReason.FAILED : StopReason.LOST;
        if (standing.role != Role.STOPPING) {
            profile.become(Role.STOPPING, term + " is over: " + term.gate().reason());
        }
        if (instances != null) {
            instances.stop();
        }
        // Whatever comes of it, it is told once.
        standing.term = null;
        try {
            worker.stop(term, kind);
        } catch (RuntimeException | LinkageError | AssertionError e) {
            log.error(
                    "Stopping the scheduler of {} failed; its gate is closed, so nothing of it starts any more",
                    term,
                    e);
        }
        term.forbidden().ifPresent(obstacles::met);
        Membership membership = standing.membership;
        if (closing.getAsBoolean() || membership == null || membership.lost().isPresent()) {
            return;
        }
        if (obstacles.known().isPresent()) {
            latch.leave();
            obstacles.block(obstacles.known().get());
            return;
        }
        switch (kind) {
            case HANDOVER -> {
                latch.join(membership.session());
                profile.become(Role.STANDBY, "handed over; a candidate again, at the tail");
            }
            case FAILED -> standBack(term.gate().reason());
            case LOST -> {
                boolean lasted = time.nanoTime() - termNanos
                        > membership.session().timeout().toNanos();
                if (lasted) {
                    stalls = 0;
                    backoff.reset();
                }
                // A loss is not a stall: who has the latch after it may lead at once, however often the network fails.
                if (lasted || standing.lossHeard) {
                    profile.become(Role.STANDBY, "a candidate still");
                } else {
                    stalled("a candidate still, though the term was short");
                }
            }
        }
    }
}
