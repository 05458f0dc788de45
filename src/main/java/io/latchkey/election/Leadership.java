package io.latchkey.election;

import io.latchkey.lifecycle.Faults;
import io.latchkey.lifecycle.Threads;
import io.latchkey.zookeeper.ConnectionEvents.Connection;
import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.NotConnectedException;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult;
import io.latchkey.zookeeper.ZNodes;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes part in the election and runs a {@link TermWorker} for each term it gets.
 *
 * <p>One thread, {@code leadership}, owns the role. Everyone else closes the gate where it must be closed, and wakes that
 * thread; it then looks at how things are, whatever the event was, and does the next thing. So no event can be missed,
 * come twice, or come in the wrong order.
 *
 * <p>The client is not closed here: the session is to outlive the draining of running jobs. Close this first, then it.
 */
public final class Leadership {
    private static final Logger log = LoggerFactory.getLogger(Leadership.class);

    /** How often things are looked at without an event. */
    private static final Duration TICK = Duration.ofMillis(50);

    /** Terms that end at once while the latch stays held, before it is given up. */
    private static final int MAX_STALLS = 3;

    private static final Duration STALL_PAUSE = Duration.ofMillis(100);

    private final ZooKeeperClient client;
    private final ZNodes nodes;
    private final Supplier<InstanceInfo> info;
    private final TermWorker worker;
    private final ElectionSettings settings;
    private final Time time;
    private final String id;

    private final ExecutorService loop;
    private final ScheduledExecutorService ticks;
    private final LatchElector latch;
    private final LeaseWatch lease;
    private final TermTaker taker;
    private final Standing standing = new Standing();
    private final Joining joining;
    private final Backoff backoff;
    private final AtomicBoolean poked = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch outOfLatch = new CountDownLatch(1);
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    // The leadership thread's own.
    private @Nullable InstanceWatch instances;
    private int stalls;
    private long nextTakeNanos;
    private long termNanos;
    /** The record of a newer version that keeps this instance out of the latch. */
    private @Nullable FormatTooNewException newer;

    /**
     * Does nothing yet.
     *
     * @param info what this instance says of itself; asked anew for every write. The id must not change
     */
    public Leadership(
            ZooKeeperClient client,
            ZNodes nodes,
            Supplier<InstanceInfo> info,
            TermWorker worker,
            Threads threads,
            ElectionSettings settings,
            Time time) {
        this.client = client;
        this.nodes = nodes;
        this.info = info;
        this.worker = worker;
        this.settings = settings;
        this.time = time;
        this.id = info.get().id();
        this.loop = threads.single("leadership");
        this.ticks = threads.scheduled("lease");
        this.latch =
                new LatchElector(client.curator(), nodes.latch(), id, this::onLoop, this::poke, this::closeGate, time);
        this.lease = new LeaseWatch(standing, worker, latch, this::record, settings.stuckAfter(), time, this::poke);
        this.taker = new TermTaker(nodes, time);
        this.joining = new Joining(client, nodes, this::record, time, this::closeGate);
        this.backoff = new Backoff(time, settings.backoffMin(), settings.backoffMax());
        this.nextTakeNanos = time.nanoTime();
    }

    /** Starts taking part; returns at once. */
    public void start() {
        client.addListener(this::connectionChanged);
        ScheduledFuture<?> ticking =
                ticks.scheduleWithFixedDelay(lease::tick, 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
        Async.always(ended, () -> ticking.cancel(false));
    }

    /**
     * Completes when this instance is published and a candidate (or {@link Role#BLOCKED}) for the first time; fails with a
     * {@link DuplicateInstanceException} where its id is another's.
     */
    public CompletableFuture<Void> joined() {
        return joined.copy();
    }

    /** Completes when it is closed; fails with a {@link DuplicateInstanceException} if it ended by itself. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    /** The role now. */
    public Role role() {
        return standing.role;
    }

    /** The term this instance took last and has not wound up yet; its gate says whether it still counts. */
    public Optional<Term> term() {
        return Optional.ofNullable(standing.term);
    }

    /** What this instance publishes of itself at the moment. */
    public InstanceRecord record() {
        Membership membership = standing.membership;
        return record(membership == null ? "" : membership.session().incarnation());
    }

    private InstanceRecord record(String incarnation) {
        Role role = standing.role;
        Term term = standing.term;
        boolean leads = role == Role.LEADING && term != null;
        return new InstanceRecord(
                InstanceRecord.FORMAT,
                info.get(),
                role.text(),
                leads && term != null ? term.number() : 0,
                leads && term != null ? term.token() : 0,
                time.now(),
                incarnation,
                standing.troubled().orElse(null));
    }

    /** How it fares; any thread, at once. */
    public Health health() {
        Role role = standing.role;
        Term term = standing.term;
        List<String> failures = new ArrayList<>();
        List<String> obstacles = new ArrayList<>();
        lease.stuck().ifPresent(busy -> failures.add("The leadership thread is stuck for " + busy.toSeconds() + " s"));
        if (role == Role.LEADING && term != null) {
            if (!term.lease().isValid()) {
                failures.add("Leads, but ZooKeeper confirms no writes: no job can start");
            }
            lease.unhealthy().ifPresent(why -> failures.add("Leads, but the scheduler cannot work: " + why));
        }
        standing.troubled().ifPresent(why -> obstacles.add("Does not lead: " + why));
        return new Health(role, failures, obstacles);
    }

    /**
     * Hands the lead over, if held, and becomes a candidate again at the tail. The gate is closed when this returns, the
     * rest follows on the leadership thread; running jobs finish here.
     *
     * @param why for the log, such as who asked
     * @return whether this instance was leading
     */
    public boolean resign(String why) {
        if (!standing.gate.isOpen()) {
            return false;
        }
        standing.handover = true;
        boolean led = standing.gate.close("handing over: " + why);
        poke();
        return led;
    }

    /** Publishes what this instance says of itself anew, where that has changed; asynchronous. */
    public void publish() {
        Membership membership = standing.membership;
        if (membership != null && membership.lost().isEmpty()) {
            CompletableFuture<TxResult> written = membership.write(record(), new Transaction(), time);
            Async.then(written, "publishing this instance", result -> {
                if (!result.isCommitted()) {
                    log.debug("Not published: {}", result);
                }
            });
        }
    }

    private void connectionChanged(Connection state) {
        switch (state) {
            case SUSPENDED -> closeGate("the connection to ZooKeeper is suspended");
            case LOST -> {
                closeGate("the ZooKeeper session is lost");
                Membership membership = standing.membership;
                if (membership != null) {
                    membership.lose("the ZooKeeper session is lost");
                }
            }
            case CONNECTED, RECONNECTED -> poke();
        }
    }

    /** Any thread: a flag, a compare-and-set, then a wake-up. */
    private void closeGate(String why) {
        standing.lossHeard = true;
        standing.gate.close(why);
        poke();
    }

    private void poke() {
        if (poked.compareAndSet(false, true)) {
            onLoop(this::step);
        }
    }

    private void onLoop(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            log.debug("Closed: an event of the election comes too late", e);
        }
    }

    private void step() {
        poked.set(false);
        if (standing.role == Role.DRAINING || standing.role == Role.CLOSED) {
            return;
        }
        // Zero means idle, and nanoTime may be anything.
        standing.busySinceNanos = time.nanoTime() | 1;
        try {
            look();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            log.debug("The leadership thread is being stopped", e);
        } catch (RuntimeException e) {
            log.error(
                    "An error of ours in the election, as {}: closing the gate and going on", standing.role.text(), e);
            standing.gate.close("an error in the election: " + e);
        } finally {
            standing.busySinceNanos = 0;
        }
    }

    private void look() throws InterruptedException {
        Term term = standing.term;
        if (term != null && term.gate().isClosedForGood()) {
            stop(term);
        } else if (term == null && standing.role == Role.TAKING) {
            stalled("an error of ours came between");
        }
        if (closing.get()) {
            latch.leave();
            become(Role.DRAINING, ended.isCompletedExceptionally() ? "another has its id" : "asked to close");
            outOfLatch.countDown();
            return;
        }
        Membership membership = standing.membership;
        if (membership != null && membership.lost().isPresent()) {
            leaveSession(membership, membership.lost().get());
            membership = null;
        }
        if (membership == null) {
            membership = join();
        }
        if (membership != null) {
            membership.tend();
        }
        if (membership == null || standing.term != null) {
            return;
        }
        if (!latch.joined() && !candidate(membership)) {
            return;
        }
        latch.tend().ifPresent(why -> log.warn("The latch is useless, {}: joined again with a new one", why));
        Optional<String> held = latch.held();
        if (held.isPresent() && time.nanoTime() - nextTakeNanos >= 0) {
            take(membership, held.get());
        }
    }

    private void leaveSession(Membership membership, String why) {
        latch.leave();
        standing.membership = null;
        if (standing.role != Role.JOINING) {
            become(Role.JOINING, why);
        }
        Session session = membership.session();
        if (!session.alive()) {
            return;
        }
        // Others take this incarnation for dead, or will: going on under it would make two truths of one session.
        log.warn("Ending {} to come back under a new one: {}", session, why);
        try {
            client.curator().getZookeeperClient().reset();
        } catch (Exception e) {
            log.error("Ending {} failed; it is tried again when Curator has noticed its loss", session, e);
        }
    }

    private @Nullable Membership join() throws InterruptedException {
        Optional<Membership> membership;
        try {
            membership = joining.tryJoin();
        } catch (NotConnectedException e) {
            log.debug("Not connected yet", e);
            return null;
        } catch (DuplicateInstanceException e) {
            // Before it has joined, whoever started it says so.
            if (!joined.completeExceptionally(e)) {
                log.error("{}. This instance ends", e.getMessage());
            }
            ended.completeExceptionally(e);
            closing.set(true);
            poke();
            return null;
        }
        standing.membership = membership.orElse(null);
        return membership.orElse(null);
    }

    /** Joins the latch, unless something speaks against it. */
    private boolean candidate(Membership membership) throws InterruptedException {
        if (backoff.active()) {
            if (standing.role == Role.JOINING) {
                become(Role.BACKING_OFF, "in a new session; still standing back: " + standing.trouble);
            }
            return false;
        }
        Optional<String> obstacle;
        try {
            obstacle = obstacle(membership.session());
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            if (membership.session().connected()) {
                standing.trouble = "it cannot be told whether anything in ZooKeeper forbids leading: " + e.getMessage();
                log.warn("Not joining the latch, {}. Tried again", standing.trouble);
                backoff.begin();
            }
            log.debug("Cannot tell whether anything forbids leading", e);
            return false;
        }
        if (obstacle.isPresent()) {
            block(obstacle.get());
        } else {
            standing.trouble = "";
            taker.follow(membership.session());
            latch.join(membership.session());
            if (standing.role != Role.STANDBY) {
                become(
                        Role.STANDBY,
                        "joined the latch in session " + membership.session().incarnation());
            }
        }
        joined.complete(null);
        return obstacle.isEmpty();
    }

    /** One read while a known obstacle is there still; everything is looked through when that is gone. */
    private Optional<String> obstacle(Session session) throws Exception {
        FormatTooNewException known = newer;
        if (known != null && taker.isStillNewer(session, known)) {
            return Optional.of(TermTaker.advice(known));
        }
        newer = null;
        Optional<String> obstacle = taker.obstacle(session);
        if (obstacle.isEmpty()) {
            try {
                worker.inspect();
            } catch (FormatTooNewException e) {
                newer = e;
                return Optional.of(TermTaker.advice(e));
            }
        }
        return obstacle;
    }

    private void block(String obstacle) {
        if (standing.role != Role.BLOCKED || !standing.trouble.equals(obstacle)) {
            log.error("This instance must not lead, and stays out of the latch: {}", obstacle);
            standing.trouble = obstacle;
            if (standing.role == Role.BLOCKED) {
                publish();
            } else {
                become(Role.BLOCKED, "what is in ZooKeeper forbids leading");
            }
        }
        backoff.reset();
        backoff.begin();
    }

    private void take(Membership membership, String node) throws InterruptedException {
        // In place before anything is read: whatever closes it from here on, this term ends.
        Gate gate = new Gate(time.nanos());
        standing.workerFailed = false;
        standing.handover = false;
        standing.lossHeard = false;
        standing.gate = gate;
        if (latch.held().filter(node::equals).isEmpty() || !membership.session().connected() || closing.get()) {
            gate.close("the latch went before the term was taken");
            return;
        }
        become(Role.TAKING, "holds the latch with " + ZNodes.nameOf(node));
        TermTaker.Result result = taker.take(membership.session(), node, info.get());
        if (result instanceof TermTaker.Result.Taken taken) {
            membership.lease().confirmedWrite(taken.sentNanos());
            Term term = new Term(taken.tenure(), nodes, membership.session(), gate, membership.lease(), why -> poke());
            standing.term = term;
            termNanos = time.nanoTime();
            instances = new InstanceWatch(
                    membership.session(), nodes, (who, incarnation) -> onLoop(() -> gone(term, who, incarnation)));
            instances.start();
            lead(term);
        } else if (result instanceof TermTaker.Result.Blocked blocked) {
            gate.close("blocked");
            latch.leave();
            block(blocked.obstacle());
        } else if (result instanceof TermTaker.Result.Lost lost) {
            gate.close(lost.why());
            stalled("no term taken: " + lost.why());
        } else if (result instanceof TermTaker.Result.Stalled stall) {
            gate.close(stall.why());
            stalled("no term taken: " + stall.why());
        }
    }

    /** The term could not be taken, or ended at once, though the latch is held: again after a pause, then another's turn. */
    private void stalled(String why) {
        stalls++;
        if (stalls < MAX_STALLS || !latch.joined()) {
            nextTakeNanos = time.nanoTime() + STALL_PAUSE.toNanos() * (1L << stalls);
            become(Role.STANDBY, why);
        } else {
            standBack(why);
        }
    }

    private void standBack(String why) {
        latch.leave();
        stalls = 0;
        standing.trouble = why;
        Duration pause = backoff.begin();
        become(Role.BACKING_OFF, "gave the latch up for " + pause.toMillis() + " ms: " + why);
    }

    private void lead(Term term) throws InterruptedException {
        try {
            worker.lead(term);
            if (term.gate().open()) {
                become(
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
            poke();
        } finally {
            standing.busySinceNanos = 0;
        }
    }

    private void stop(Term term) {
        StopReason kind =
                standing.handover ? StopReason.HANDOVER : standing.workerFailed ? StopReason.FAILED : StopReason.LOST;
        if (standing.role != Role.STOPPING) {
            become(Role.STOPPING, term + " is over: " + term.gate().reason());
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
        term.forbidden().ifPresent(met -> newer = met);
        Membership membership = standing.membership;
        if (closing.get() || membership == null || membership.lost().isPresent()) {
            return;
        }
        if (newer != null) {
            latch.leave();
            block(TermTaker.advice(newer));
            return;
        }
        switch (kind) {
            case HANDOVER -> {
                latch.join(membership.session());
                become(Role.STANDBY, "handed over; a candidate again, at the tail");
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
                    become(Role.STANDBY, "a candidate still");
                } else {
                    stalled("a candidate still, though the term was short");
                }
            }
        }
    }

    private void become(Role next, String why) {
        standing.role = standing.role.become(next);
        log.info("Instance \"{}\" is {}: {}", id, next == Role.LEADING ? "LEADING" : next.text(), why);
        publish();
    }

    /**
     * Hands over and ends. The gate is closed at once and the latch released within a moment; then this waits for running
     * jobs, at most as long as said, interrupts what is left, and gives that a few seconds. The session lives on: close
     * the client afterwards.
     *
     * @param drain how long running jobs may take to finish here
     */
    public void close(Duration drain) throws InterruptedException {
        if (!closing.compareAndSet(false, true)) {
            outOfLatch.await(settings.stuckAfter().toMillis(), TimeUnit.MILLISECONDS);
        }
        standing.handover = true;
        closeGate("this instance is stopping");
        if (!outOfLatch.await(settings.stuckAfter().toMillis(), TimeUnit.MILLISECONDS)) {
            log.error("The leadership thread is stuck; releasing the latch without it");
            latch.leave();
        }
        new Drain(worker, time).run(drain);
        finish();
    }

    private synchronized void finish() {
        if (standing.role == Role.DRAINING) {
            become(Role.CLOSED, "no job runs here any more");
        }
        Threads.stop("the lease's thread", ticks, Duration.ofSeconds(1));
        Threads.stop("the leadership thread", loop, Duration.ofSeconds(1));
        ended.complete(null);
    }
}
