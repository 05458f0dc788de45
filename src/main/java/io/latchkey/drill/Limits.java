package io.latchkey.drill;

import java.time.Duration;

/**
 * The numbers that the service ran under, which the checks measure by.
 *
 * @param session the session timeout, as negotiated
 * @param tick the servers' tick: sessions end on a multiple of it
 * @param misfireThreshold a slot waiting longer was missed
 * @param maxAttempts how often a fire is tried
 * @param work what a new leader may take, on an idle machine, from holding the latch to its first start: it loads the
 *     ledger, makes a scheduler, and waits a second at most for something to be due
 */
record Limits(Duration session, Duration tick, Duration misfireThreshold, int maxAttempts, Duration work) {
    /** A server drops another that was silent for so many ticks, and its clients with it. */
    static final int SYNC_LIMIT = 5;

    /** From the last confirmed write, how long an instance may start jobs. */
    Duration lease() {
        return session.dividedBy(2);
    }

    /** The latch of a leader that fell silent is another's within this. */
    Duration silentBound() {
        return session.plus(tick);
    }

    /**
     * The latch of a leader that hears no answers is another's within this. It notices after two thirds of its session;
     * each of its tries to reconnect reaches a server and prolongs the session, until it gives that up a session later.
     */
    Duration unansweredBound() {
        return session.multipliedBy(2).dividedBy(3).plus(session).plus(silentBound());
    }

    /** Somebody holds the latch again within this after the leader's server lost its ensemble, which may have to elect. */
    Duration serverLostBound() {
        return tick.multipliedBy(SYNC_LIMIT).plusSeconds(1).plus(silentBound());
    }
}
