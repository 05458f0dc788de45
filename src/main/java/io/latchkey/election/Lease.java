package io.latchkey.election;

import java.time.Clock;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long a session is surely alive: half its timeout, counted from the <em>send</em> of its last confirmed quorum write.
 * One per session. Pings and reads prove nothing: a server cut off from the quorum answers them.
 *
 * <p>Elapsed time is {@code nanoTime}, which stands still while a machine is suspended. So the wall clock is watched too:
 * where the two disagree by more than half the timeout since the last confirmed write, the lease is void at once, and
 * only a write sent after that was noticed makes it valid again. A step of the wall clock looks the same and costs a term.
 *
 * <p>The other half of the timeout is the margin: the server can expire the session no earlier than its timeout after it
 * received that write. All methods may be called from any thread and return at once.
 */
public final class Lease {
    private final Clock clock;
    private final LongSupplier nanos;
    private final long spanNanos;

    private boolean proven;
    private long sentNanos;
    private long clockOffset;
    private long voidedNanos;
    private boolean ended;

    /**
     * A lease that is not valid yet.
     *
     * @param sessionTimeout as negotiated
     * @param clock wall time
     * @param nanos elapsed time, as {@link System#nanoTime()}
     */
    public Lease(Duration sessionTimeout, Clock clock, LongSupplier nanos) {
        this.clock = clock;
        this.nanos = nanos;
        this.spanNanos = sessionTimeout.toNanos() / 2;
        long now = nanos.getAsLong();
        this.voidedNanos = now - 1;
        this.clockOffset = offsetAt(now);
    }

    /**
     * A write of this session was confirmed by the quorum.
     *
     * @param sentNanos {@code nanoTime} from before it was sent
     */
    public synchronized void confirmedWrite(long sentNanos) {
        long now = nanos.getAsLong();
        watchClocks(now);
        if (sentNanos - voidedNanos <= 0) {
            // Sent before the clocks parted: how long ago that really was, nobody knows.
            return;
        }
        if (!proven || sentNanos - this.sentNanos > 0) {
            this.sentNanos = sentNanos;
            proven = true;
        }
        clockOffset = offsetAt(now);
    }

    /** Whether the session is surely alive now. */
    public boolean isValid() {
        return !remaining().isZero();
    }

    /** How much longer the session is surely alive without a further write; zero if it is not, never negative. */
    public synchronized Duration remaining() {
        long now = nanos.getAsLong();
        watchClocks(now);
        long left = proven && !ended ? spanNanos - (now - sentNanos) : 0;
        return left > 0 ? Duration.ofNanos(left) : Duration.ZERO;
    }

    /** Time since the send of the last confirmed write; the whole timeout and more if there is none that counts. */
    public synchronized Duration sinceConfirmed() {
        return proven ? Duration.ofNanos(nanos.getAsLong() - sentNanos) : Duration.ofNanos(4 * spanNanos);
    }

    /** Why it is not valid, for people; to be asked when it is not. */
    public synchronized String whyNot() {
        if (ended) {
            return "the session is over";
        }
        return proven
                ? "ZooKeeper's quorum confirmed no write of this session for "
                        + sinceConfirmed().toMillis() + " ms"
                : "the wall clock jumped, or this machine was suspended, and no write was confirmed since";
    }

    /** The session is known to be over: never valid again. */
    public synchronized void end() {
        ended = true;
    }

    private void watchClocks(long now) {
        long offset = offsetAt(now);
        if (Math.abs(offset - clockOffset) > spanNanos) {
            proven = false;
            voidedNanos = now;
            clockOffset = offset;
        }
    }

    private long offsetAt(long now) {
        return Math.multiplyExact(clock.millis(), 1_000_000L) - now;
    }
}
