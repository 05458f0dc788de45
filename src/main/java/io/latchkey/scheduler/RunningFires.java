package io.latchkey.scheduler;

import io.latchkey.ledger.Completion;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.RunningRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What runs in this process, of whatever term and whatever session: jobs outlive the scheduler that started them. A fire
 * counts until its outcome is recorded or known not to be recordable. One object for the whole process; safe for use by
 * any number of threads.
 */
public final class RunningFires {
    private static final Logger log = LoggerFactory.getLogger(RunningFires.class);
    private static final int MOST_UNRECORDED = 10_000;

    private final Map<FireId, Flight> flights = new HashMap<>();
    /** Ended, outcome on its way. */
    private final Set<Flight> ending = new HashSet<>();

    /** How fires ended whose end could not be recorded: recovery must not take them for dead. Bounded. */
    private final Map<FireId, Ended> unrecorded = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<FireId, Ended> eldest) {
            return size() > MOST_UNRECORDED;
        }
    };

    /** How an attempt ended. */
    private record Ended(int attempt, Outcome outcome) {}

    private final Deadlines deadlines;
    private final FailureHooks hooks;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<RunningRecord>> starts = new CopyOnWriteArrayList<>();

    /** @param hooks told of the fires that have failed for good, once that is durable */
    RunningFires(Deadlines deadlines, FailureHooks hooks) {
        this.deadlines = deadlines;
        this.hooks = hooks;
    }

    /** For what fails for good without having run here. */
    FailureHooks hooks() {
        return hooks;
    }

    /** Of all that runs here. */
    Deadlines deadlines() {
        return deadlines;
    }

    synchronized void add(Flight flight) {
        Flight before = flights.put(flight.id(), flight);
        if (before != null) {
            // Recovery never retakes a fire that runs here, so this is ours to mend.
            log.error("Fire {} was claimed again while it runs in this process", flight.id());
        }
    }

    /** {@code flight} has ended or was given back; it is forgotten once the ledger has answered. */
    void ending(Flight flight, CompletableFuture<Completion> recorded) {
        synchronized (this) {
            ending.add(flight);
        }
        CompletableFuture<Completion> told =
                recorded.whenComplete((completion, failure) -> gone(flight, completion, failure));
        if (told.isCompletedExceptionally()) {
            log.debug("The ledger answered for {} at once, with an error", flight.id());
        }
    }

    private void gone(Flight flight, @Nullable Completion completion, @Nullable Throwable failure) {
        if (failure != null) {
            log.error("Recording the end of {} failed; a leader's recovery decides it", flight.id(), failure);
        } else if (completion instanceof Completion.Overtaken overtaken) {
            log.warn("The end of {} is not recorded: another decision stands ({})", flight.id(), overtaken.why());
        } else if (completion instanceof Completion.GivenUp givenUp) {
            log.warn("The end of {} is not known to be recorded ({})", flight.id(), givenUp.why());
        }
        synchronized (this) {
            ending.remove(flight);
            if (!(completion instanceof Completion.Recorded)) {
                int attempt = flight.record().current().number();
                flight.outcome().ifPresent(outcome -> unrecorded.put(flight.id(), new Ended(attempt, outcome)));
            }
            flights.remove(flight.id(), flight);
            notifyAll();
        }
        if (completion instanceof Completion.Recorded) {
            flight.failedForGood().ifPresent(failed -> hooks.call(flight.policy(), failed));
        }
        listeners.forEach(Runnable::run);
    }

    /** Calls back with each fire whose job starts here, on its thread. The listener must be trivial and never throw. */
    public void onStart(Consumer<RunningRecord> listener) {
        starts.add(listener);
    }

    /** Its job starts now. */
    void starting(Flight flight) {
        starts.forEach(listener -> listener.accept(flight.record()));
    }

    /** Calls back, on any thread, whenever a fire is gone from here. The listener must be trivial. */
    void onGone(Runnable listener) {
        listeners.add(listener);
    }

    void removeOnGone(Runnable listener) {
        listeners.remove(listener);
    }

    /** Whether this fire runs here, or its end is on its way into the ledger. */
    public synchronized boolean isHere(FireId id) {
        return flights.containsKey(id);
    }

    /** How an attempt of a fire ended here, if its record does not have it. */
    synchronized Optional<Outcome> unrecorded(RunningRecord record) {
        Ended ended = unrecorded.get(record.id());
        // It may be on record though its writer was told otherwise: the next attempt was claimed before it could ask.
        boolean recorded = ended != null
                && record.earlier().stream()
                        .anyMatch(earlier -> earlier.number() == ended.attempt() && earlier.ended() != null);
        return ended == null || recorded ? Optional.empty() : Optional.of(ended.outcome());
    }

    /** Whether a fire of this job is claimed, running or being recorded here. */
    synchronized boolean hasRunOf(JobKey job) {
        return flights.values().stream().anyMatch(flight -> flight.job().equals(job));
    }

    /** How many fires are claimed, running or being recorded here. */
    public synchronized int count() {
        return flights.size();
    }

    /** The fires that are claimed, running or being recorded here. */
    public synchronized Set<FireId> ids() {
        return Set.copyOf(flights.keySet());
    }

    /** The records, as claimed, of the fires that are claimed, running or being recorded here. */
    List<RunningRecord> records() {
        return snapshot().stream().map(Flight::record).toList();
    }

    /** Interrupts what runs, but for the jobs that opted to continue without the lead. */
    void interruptUnlessOptedOut(String why) {
        for (Flight flight : snapshot()) {
            if (!flight.continuesWithoutLead()) {
                flight.interrupt(why);
            }
        }
    }

    private synchronized List<Flight> snapshot() {
        return new ArrayList<>(flights.values());
    }

    /**
     * Ends the fires whose jobs have called System.exit: such a run cannot end, as its thread waits for the process to do so.
     * Recorded while the session lives, it is not taken for one whose instance died.
     */
    void endThoseThatCalledExit(Instant now) {
        for (Flight flight : snapshot()) {
            if (!flight.isClosed() && flight.hasCalledExit()) {
                log.error(
                        "Job {} has called System.exit ({}), which stops this whole instance. Its run cannot end any"
                                + " more: it is not waited for, but recorded as FAILED, and not run again. Start the"
                                + " instance again, and mend the job: it is to return, or to throw",
                        flight.job(),
                        flight.id());
                Duration ran = Duration.between(flight.record().current().claimed(), now);
                Outcome end = Outcome.failed(Outcome.Kind.FAILED, now, ran, "the job called System.exit");
                flight.end(Retrying.Verdict.last(end), null);
            }
        }
    }

    /** Says what is waited for. */
    void sayWhatRuns() {
        for (Flight flight : snapshot()) {
            log.info(
                    "Still running here: job {} ({}), claimed {}",
                    flight.job(),
                    flight.id(),
                    flight.record().current().claimed());
        }
    }

    /** Waits until nothing runs, all ends are recorded and told of; false if that takes longer. */
    boolean awaitIdle(Duration atMost) throws InterruptedException {
        long from = System.nanoTime();
        return awaitEnds(atMost) && hooks.awaitIdle(atMost.minusNanos(System.nanoTime() - from));
    }

    private synchronized boolean awaitEnds(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (!flights.isEmpty()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
        return true;
    }
}
