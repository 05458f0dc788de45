package io.latchkey.election;

import io.latchkey.election.Gate.Cause;
import io.latchkey.lifecycle.Threads;
import io.latchkey.zookeeper.ConnectionEvents.Connection;
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
import java.util.function.Consumer;
import java.util.function.Supplier;
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

    private final ZooKeeperClient client;
    private final TermWorker worker;
    private final ElectionSettings settings;
    private final Time time;

    private final ExecutorService loop;
    private final ScheduledExecutorService ticks;
    private final LatchElector latch;
    private final LeaseWatch lease;
    private final Standing standing = new Standing();
    private final Profile profile;
    private final Candidature candidature;
    private final Terms terms;
    private final AtomicBoolean poked = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch outOfLatch = new CountDownLatch(1);
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

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
        this.worker = worker;
        this.settings = settings;
        this.time = time;
        this.profile = new Profile(info, standing, time);
        this.loop = threads.single("leadership");
        this.ticks = threads.scheduled("lease");
        this.latch = new LatchElector(
                client.curator(), nodes.latch(), profile.id(), this::onLoop, this::poke, this::latchLost, time);
        this.lease = new LeaseWatch(standing, worker, latch, profile::record, settings.stuckAfter(), time, this::poke);
        Backoff backoff = new Backoff(time, settings.backoffMin(), settings.backoffMax());
        TermTaker taker = new TermTaker(nodes, time);
        Obstacles obstacles = new Obstacles(standing, profile, taker, worker, backoff);
        Shared shared = new Shared(nodes, standing, profile, latch, worker, backoff, time);
        this.terms = new Terms(shared, taker, obstacles, closing::get, this::onLoop, this::poke);
        this.candidature = new Candidature(
                shared,
                client,
                new Joining(client, nodes, profile::record, time, why -> closeGate(Cause.SESSION, why)),
                taker,
                obstacles,
                this::duplicate,
                () -> joined.complete(null));
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

    /**
     * Calls back with each term that is taken from now on, before anything is done with it: on the leadership thread. The
     * listener must be trivial.
     */
    public void onTerm(Consumer<Term> listener) {
        terms.onTaken(listener);
    }

    /** What this instance publishes of itself at the moment. */
    public InstanceRecord record() {
        return profile.record();
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
        boolean led = standing.gate.close(Cause.HANDOVER, "handing over: " + why);
        poke();
        return led;
    }

    /** Publishes what this instance says of itself anew, where that has changed; asynchronous. */
    public void publish() {
        profile.publish();
    }

    private void connectionChanged(Connection state) {
        switch (state) {
            case SUSPENDED -> closeGate(Cause.CONNECTION, "the connection to ZooKeeper is suspended");
            case LOST -> {
                closeGate(Cause.SESSION, "the ZooKeeper session is lost");
                Membership membership = standing.membership;
                if (membership != null) {
                    membership.lose("the ZooKeeper session is lost");
                }
            }
            case CONNECTED, RECONNECTED -> poke();
        }
    }

    /** The latch hears of the connection too, and may be told first. */
    private void latchLost(String why) {
        closeGate(client.connected() ? Cause.LATCH : Cause.CONNECTION, why);
    }

    /** Any thread: a flag, a compare-and-set, then a wake-up. */
    private void closeGate(Cause cause, String why) {
        standing.lossHeard = true;
        standing.gate.close(cause, why);
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
            terms.stop(term);
        } else if (term == null && standing.role == Role.TAKING) {
            terms.stalled("an error of ours came between");
        }
        if (closing.get()) {
            latch.leave();
            profile.become(Role.DRAINING, ended.isCompletedExceptionally() ? "another has its id" : "asked to close");
            outOfLatch.countDown();
            return;
        }
        Membership membership = standing.membership;
        if (membership != null && membership.lost().isPresent()) {
            candidature.leaveSession(membership, membership.lost().get());
            membership = null;
        }
        if (membership == null) {
            membership = candidature.join();
        }
        if (membership != null) {
            membership.tend();
        }
        if (membership == null || standing.term != null) {
            return;
        }
        if (!latch.joined() && !candidature.apply(membership)) {
            return;
        }
        latch.tend().ifPresent(why -> log.warn("The latch is useless, {}: joined again with a new one", why));
        terms.tryTake(membership);
    }

    private void duplicate(DuplicateInstanceException e) {
        // Before it has joined, whoever started it says so.
        if (!joined.completeExceptionally(e)) {
            log.error("{}. This instance ends", e.getMessage());
        }
        ended.completeExceptionally(e);
        closing.set(true);
        poke();
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
        closeGate(Cause.HANDOVER, "this instance is stopping");
        if (!outOfLatch.await(settings.stuckAfter().toMillis(), TimeUnit.MILLISECONDS)) {
            log.error("The leadership thread is stuck; releasing the latch without it");
            latch.leave();
        }
        new Drain(worker, time).run(drain);
        finish();
    }

    private synchronized void finish() {
        if (standing.role == Role.DRAINING) {
            profile.become(Role.CLOSED, "no job runs here any more");
        }
        Threads.stop("the lease's thread", ticks, Duration.ofSeconds(1));
        Threads.stop("the leadership thread", loop, Duration.ofSeconds(1));
        ended.complete(null);
    }
}
