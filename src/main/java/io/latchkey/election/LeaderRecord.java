package io.latchkey.election;

import java.time.Instant;
import java.util.Objects;

/**
 * The data of {@code /leader}: who took the last term. Whether they lead still, the latch says: only the owner of its
 * lowest live child can.
 *
 * <p>A write cannot carry its own transaction's id, so the record holds a floor, and the token is the higher of the two:
 * see {@link #token(long)}.
 *
 * @param format of this record, {@link #FORMAT}
 * @param instance id of the leader; empty after a repair, when nobody led yet
 * @param term counts terms from 1
 * @param tokenFloor one more than the token before: keeps tokens rising after an ensemble was wiped, whose transaction ids
 *     start again
 * @param latchNode full path of the latch node it was taken under
 * @param since when it was taken, by the leader's wall clock
 * @param nonce new for each try, so that a leader can tell its own write after a lost reply
 * @param conf digest of the leader's jobs
 */
public record LeaderRecord(
        int format,
        String instance,
        long term,
        long tokenFloor,
        String latchNode,
        Instant since,
        String nonce,
        String conf) {
    /** The format this version writes, and the newest it reads. */
    public static final int FORMAT = 1;

    /** A record read from a node someone edited may lack anything: that is malformed, not null later on. */
    public LeaderRecord {
        Objects.requireNonNull(instance, "instance");
        Objects.requireNonNull(latchNode, "latchNode");
        Objects.requireNonNull(since, "since");
        Objects.requireNonNull(nonce, "nonce");
        Objects.requireNonNull(conf, "conf");
    }

    /**
     * The fencing token of this term.
     *
     * @param zxid of the write that put this record there: the one {@code stat /leader} shows as mZxid
     */
    public long token(long zxid) {
        return Math.max(zxid, tokenFloor);
    }

    /**
     * What a repair writes where {@code /leader} was lost: nobody leads, and the next term's token is above the floor.
     *
     * @param lastTerm number of the last term known, 0 if none is
     * @param tokenFloor the next token will be higher than this
     */
    public static LeaderRecord repaired(long lastTerm, long tokenFloor, Instant now) {
        return new LeaderRecord(FORMAT, "", lastTerm, tokenFloor, "", now, "repair", "");
    }
}
