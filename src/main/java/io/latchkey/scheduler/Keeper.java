package io.latchkey.scheduler;

import io.latchkey.jobs.JobSpec;
import io.latchkey.ledger.ClaimRequest;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.Missed;
import io.latchkey.ledger.Paused;
import io.latchkey.ledger.Request;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.JobPersistenceException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after a term while it lasts, on a thread of its own: brings into force what was reloaded, answers requests, and
 * looks at fires that earlier owners still have. Events wake it; it looks every half second besides, since events can be lost.
 */
final class Keeper {
    private static final Logger log = LoggerFactory.getLogger(Keeper.class);
    private static final long PERIOD_MILLIS = 500;

    private final TermContext in;
    private final LedgerJobStore store;
    private final Recovery recovery;
    private final InForce inForce;
    private final Pauses pauses;
    private final Queue<FireId> givenBack;
    private final Consumer<String> resign;
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Runnable wake = this::wakeIfWatching;
    private volatile @Nullable ScheduledExecutorService executor;
    private volatile @Nullable ScheduledFuture<?> looks;
    private boolean failing;
    private volatile boolean stopped;

    /**
     * @param givenBack fires to look at again, filled by the store
     * @param resign what to do, with a reason, when an operator asks this leader to resign; must return at once
     */
    Keeper(
            TermContext in,
            LedgerJobStore store,
            Recovery recovery,
            InForce inForce,
            Pauses pauses,
            Queue<FireId> givenBack,
            Consumer<String> resign) {
        this.in = in;
        this.store = store;
        this.recovery = recovery;
        this.inForce = inForce;
        this.pauses = pauses;
        this.givenBack = givenBack;
        this.resign = resign;
    }

    /** Starts looking, on {@code thread}, which the caller shuts down after {@link #stop}. */
    void start(ScheduledExecutorService thread) {
        executor = thread;
        in.fenced().onRequests(this::wake);
        in.running().onGone(wake);
        looks = thread.scheduleWithFixedDelay(this::look, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Something happened: looks soon. Any thread; returns at once. */
    void wake() {
        ScheduledExecutorService thread = executor;
        if (stopped || thread == null || !woken.compareAndSet(false, true)) {
            return;
        }
        try {
            thread.execute(this::look);
        } catch (RejectedExecutionException e) {
            log.debug("The keeper is stopping", e);
        }
    }

    /** Nothing is looked at any more once a look under way has ended. Any thread. */
    void stop() {
        stopped = true;
        in.running().removeOnGone(wake);
        ScheduledFuture<?> periodic = looks;
        if (periodic != null) {
            periodic.cancel(false);
        }
    }

    private void look() {
        woken.set(false);
        if (stopped || !in.term().gate().isOpen()) {
            return;
        }
        try {
            for (FireId id = givenBack.poll(); id != null; id = givenBack.poll()) {
                recovery.watch(id);
            }
            inForce.follow();
            recovery.check();
            for (Request request : in.fenced().requests()) {
                answer(request);
            }
            Paused recounted = pauses.recounted();
            if (recounted != null && in.accept(in.fenced().pause(recounted), "The number of slots on hold")) {
                pauses.counted(recounted);
            }
            if (failing) {
                failing = false;
                log.info("Requests and earlier owners' fires can be read again");
            }
        } catch (LedgerException e) {
            log.debug("A look of the keeper failed", e);
            // What fails because the term is over is no news: that was said.
            if (!failing && !stopped && in.term().gate().isOpen()) {
                failing = true;
                log.warn(
                        "Requests and earlier owners' fires cannot be read; trying on while the term lasts: {}",
                        e.getMessage());
            }
        }
    }

    /** A fire is gone from this process, which happens with each run: of interest only if one is waited for. */
    private void wakeIfWatching() {
        if (recovery.isWatching()) {
            wake();
        }
    }

    private void answer(Request request) {
        switch (request.kind()) {
            case TRIGGER -> trigger(request);
            case PAUSE, RESUME -> {
                Paused after = pauses.after(request);
                if (in.accept(in.fenced().answer(request, Optional.of(after)), "The answer to a request")) {
                    pauses.granted(request, after);
                }
            }
            case RELOAD -> {
                log.warn("{} asked the leader to reload: that is asked of every instance; dropped", request.by());
                in.accept(in.fenced().answer(request, Optional.empty()), "The answer to a request");
            }
            case RESIGN -> {
                if (in.accept(in.fenced().answer(request, Optional.empty()), "The answer to a request")) {
                    log.info("Resigning, asked by {}", request.by());
                    resign.accept("asked by " + request.by());
                }
            }
        }
    }

    private void trigger(Request request) {
        JobKey job = request.job();
        JobSpec spec = job == null ? null : in.catalog().job(job).orElse(null);
        if (job == null || spec == null) {
            log.warn(
                    "{} asked to run job {}, which is not in the configuration; the request is dropped",
                    request.by(),
                    job);
            in.accept(in.fenced().answer(request, Optional.empty()), "The answer to a request");
            return;
        }
        OneOff fire = new OneOff(
                new ClaimRequest.Requested(request, in.info(job, Missed.NONE, request.data())),
                job,
                Optional.empty(),
                false,
                request.data());
        try {
            if (!store.has(fire)) {
                store.put(fire);
            }
        } catch (JobPersistenceException e) {
            log.error("The run of job {} that {} asked for could not be queued; trying again", job, request.by(), e);
        }
    }
}
