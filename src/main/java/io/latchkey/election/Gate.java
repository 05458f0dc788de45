package io.latchkey.election;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The switch without which no fire starts. One per term, never shared and never opened twice: a gate that could be opened
 * again would let a claim of an older term start late.
 *
 * <p>Closing is one compare-and-set on whatever thread learns that the term is over; it waits for nobody. All methods
 * may be called from any thread.
 */
public final class Gate {
    private static final Logger log = LoggerFactory.getLogger(Gate.class);

    /** What a gate was closed for, in kinds that can be counted; {@link #reason} says it in words. */
    public enum Cause {
        /** Planned: this instance resigned, or is stopping. */
        HANDOVER,
        /** No ZooKeeper server in contact. */
        CONNECTION,
        /** The session is over, or this instance's node is gone. */
        SESSION,
        /** The latch was lost. */
        LATCH,
        /** The session is not surely alive any more. */
        LEASE,
        /** A write was refused at the fence: another term began, or the latch node is gone. */
        FENCED,
        /** Whether a write stands is not known. */
        UNKNOWN_WRITE,
        /** A record that only a newer version understands. */
        NEWER_FORMAT,
        /** This instance cannot use the lead. */
        FAILED
    }

    private enum Phase {
        NOT_YET,
        OPEN,
        CLOSED
    }

    private record State(Phase phase, Cause cause, String reason, long sinceNanos) {}

    private final LongSupplier nanos;
    private final AtomicReference<State> state =
            new AtomicReference<>(new State(Phase.NOT_YET, Cause.FAILED, "not opened yet", 0));
    private final CopyOnWriteArrayList<Hook> hooks = new CopyOnWriteArrayList<>();

    /** A gate on the machine's clock. */
    public Gate() {
        this(System::nanoTime);
    }

    /** @param nanos elapsed time, as {@link System#nanoTime()} */
    public Gate(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * Opens the gate, once in its life.
     *
     * @return false if it was closed before: the term was over already
     * @throws IllegalStateException if it is open
     */
    public boolean open() {
        State was = current();
        if (was.phase == Phase.NOT_YET
                && state.compareAndSet(was, new State(Phase.OPEN, Cause.FAILED, "", nanos.getAsLong()))) {
            return true;
        }
        if (current().phase == Phase.OPEN) {
            throw new IllegalStateException("This gate is open already");
        }
        return false;
    }

    /** Whether fires may start, as far as this gate is concerned. */
    public boolean isOpen() {
        return current().phase == Phase.OPEN;
    }

    /** Whether it was closed: unlike one that is not open yet, it stays so. */
    public boolean isClosedForGood() {
        return current().phase == Phase.CLOSED;
    }

    /** Closes the gate for good, because this instance cannot use the lead. */
    public boolean close(String reason) {
        return close(Cause.FAILED, reason);
    }

    /**
     * Closes the gate for good, opened or not. The first reason is kept.
     *
     * @return whether this call closed it
     */
    public boolean close(Cause cause, String reason) {
        State closed = new State(Phase.CLOSED, cause, reason, nanos.getAsLong());
        State was;
        do {
            was = current();
            if (was.phase == Phase.CLOSED) {
                return false;
            }
        } while (!state.compareAndSet(was, closed));
        hooks.forEach(Hook::run);
        return true;
    }

    /** Why it is not open; empty text if it is. */
    public String reason() {
        return current().reason;
    }

    /** The kind of that, of one that was closed; of another it says nothing. */
    public Cause cause() {
        return current().cause;
    }

    /** How long it has been closed for good, or empty. */
    public Optional<Duration> closedFor() {
        State now = current();
        return now.phase == Phase.CLOSED
                ? Optional.of(Duration.ofNanos(nanos.getAsLong() - now.sinceNanos))
                : Optional.empty();
    }

    /**
     * Runs {@code hook} once, on the thread that closes the gate, or here and now if it is closed. It holds up a thread of
     * Curator or ZooKeeper: it may enqueue or flip a flag, no more.
     */
    public void onClose(Runnable hook) {
        Hook added = new Hook(hook);
        hooks.add(added);
        if (isClosedForGood()) {
            added.run();
        }
    }

    private State current() {
        return Objects.requireNonNull(state.get());
    }

    @Override
    public String toString() {
        State now = current();
        return now.phase == Phase.OPEN ? "open" : "closed (" + now.reason + ")";
    }

    private static final class Hook {
        private final Runnable body;
        private final AtomicBoolean ran = new AtomicBoolean();

        private Hook(Runnable body) {
            this.body = body;
        }

        private void run() {
            if (!ran.compareAndSet(false, true)) {
                return;
            }
            try {
                body.run();
            } catch (RuntimeException e) {
                log.error("A hook on the gate failed; the gate is closed all the same", e);
            }
        }
    }
}
