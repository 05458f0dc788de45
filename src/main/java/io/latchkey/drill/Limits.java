package io.latchkey.drill;

import java.time.Duration;

/**
 * The numbers that the service ran under, which the checks measure by.
 *
 * @param session the session timeout, as negotiated
 * @param tick the servers' tick: sessions end on a multiple of it
 * @param misfireThreshold a slot waiting longer was missed
 * @param maxAttempts how often a fire is tried
 * @param margin what a busy machine may add to a takeover
 */
record Limits(Duration session, Duration tick, Duration misfireThreshold, int maxAttempts, Duration margin) {
    /** From the last confirmed write, how long an instance may start jobs. */
    Duration lease() {
        return session.dividedBy(2);
    }

    /** A leader that fell silent is replaced within this. */
    Duration takeoverBound() {
        return session.plus(tick).plus(margin);
    }

    /** A leader that hands over is replaced within this. */
    Duration handoverBound() {
        return margin;
    }
}
