package io.latchkey.election;

import java.util.Locale;
import java.util.Set;

/**
 * What an instance is at the moment. Owned by the {@code leadership} thread, which makes every transition; others read.
 *
 * <table>
 * <caption>Transitions; any other is an {@link IllegalStateException}</caption>
 * <tr><th>from</th><th>to</th><th>when</th></tr>
 * <tr><td>JOINING</td><td>STANDBY</td><td>own instance node published, latch joined</td></tr>
 * <tr><td></td><td>BLOCKED</td><td>what is in ZooKeeper forbids leading: not joining the latch</td></tr>
 * <tr><td></td><td>BACKING_OFF</td><td>session lost and found again while standing back after a failure</td></tr>
 * <tr><td></td><td>DRAINING</td><td>asked to close</td></tr>
 * <tr><td>STANDBY</td><td>TAKING</td><td>the latch is held</td></tr>
 * <tr><td></td><td>BLOCKED</td><td>what is in ZooKeeper forbids leading, found when about to join the latch again</td></tr>
 * <tr><td></td><td>JOINING</td><td>session lost</td></tr>
 * <tr><td></td><td>DRAINING</td><td>asked to close</td></tr>
 * <tr><td>TAKING</td><td>LEADING</td><td>term taken, worker loaded, gate opened</td></tr>
 * <tr><td></td><td>STANDBY</td><td>latch lost before the term was taken</td></tr>
 * <tr><td></td><td>STOPPING</td><td>term taken, but over before the gate opened, or the worker could not load</td></tr>
 * <tr><td></td><td>BACKING_OFF</td><td>the term cannot be taken: latch given up</td></tr>
 * <tr><td></td><td>BLOCKED</td><td>what is in ZooKeeper forbids leading: latch given up</td></tr>
 * <tr><td>LEADING</td><td>STOPPING</td><td>gate closed, for whatever reason</td></tr>
 * <tr><td>STOPPING</td><td>STANDBY</td><td>worker stopped; still a candidate, or one again</td></tr>
 * <tr><td></td><td>BACKING_OFF</td><td>worker stopped after a failure of ours: latch given up</td></tr>
 * <tr><td></td><td>BLOCKED</td><td>worker stopped after it met a record of a newer version: latch given up</td></tr>
 * <tr><td></td><td>JOINING</td><td>worker stopped, session lost</td></tr>
 * <tr><td></td><td>DRAINING</td><td>worker stopped, asked to close</td></tr>
 * <tr><td>BACKING_OFF</td><td>STANDBY</td><td>pause over, latch joined again</td></tr>
 * <tr><td></td><td>BLOCKED, JOINING, DRAINING</td><td>as above</td></tr>
 * <tr><td>BLOCKED</td><td>STANDBY</td><td>the obstacle is gone, latch joined again</td></tr>
 * <tr><td></td><td>JOINING, DRAINING</td><td>as above</td></tr>
 * <tr><td>DRAINING</td><td>CLOSED</td><td>running jobs ended, or were interrupted</td></tr>
 * <tr><td>CLOSED</td><td></td><td>the end</td></tr>
 * </table>
 */
public enum Role {
    /** No session, or not published in it yet. */
    JOINING,
    /** A candidate in the latch. */
    STANDBY,
    /** Holds the latch; takes the term and loads what it needs. Nothing can start yet. */
    TAKING,
    /** The gate was opened. Whether jobs may start this instant, {@link Term#mayStart()} says. */
    LEADING,
    /** The term is over; its worker is being stopped. */
    STOPPING,
    /** Gave the lead up after a failure of its own; out of the latch until the pause is over. */
    BACKING_OFF,
    /** Must not lead, because of what it found in ZooKeeper; out of the latch until that has changed. */
    BLOCKED,
    /** Closing: out of the latch, running jobs come to their end. */
    DRAINING,
    /** Ended. */
    CLOSED;

    /** Whether {@code next} may follow this role. */
    public boolean mayBecome(Role next) {
        return successors().contains(next);
    }

    /**
     * The transition itself.
     *
     * @return {@code next}
     * @throws IllegalStateException naming both roles, if {@code next} may not follow this one
     */
    public Role become(Role next) {
        if (!mayBecome(next)) {
            throw new IllegalStateException("A role cannot change from " + this + " to " + next);
        }
        return next;
    }

    /** As shown to people: lower case, spaces. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private Set<Role> successors() {
        return switch (this) {
            case JOINING -> Set.of(STANDBY, BLOCKED, BACKING_OFF, DRAINING);
            case STANDBY -> Set.of(TAKING, BLOCKED, JOINING, DRAINING);
            case TAKING -> Set.of(LEADING, STANDBY, STOPPING, BACKING_OFF, BLOCKED);
            case LEADING -> Set.of(STOPPING);
            case STOPPING -> Set.of(STANDBY, BACKING_OFF, BLOCKED, JOINING, DRAINING);
            case BACKING_OFF -> Set.of(STANDBY, BLOCKED, JOINING, DRAINING);
            case BLOCKED -> Set.of(STANDBY, JOINING, DRAINING);
            case DRAINING -> Set.of(CLOSED);
            case CLOSED -> Set.of();
        };
    }
}
