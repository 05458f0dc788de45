package io.latchkey.election;

import java.time.Instant;

/**
 * The facts of a term, as its write to {@code /leader} made them.
 *
 * @param number counts terms from 1
 * @param token fencing token: the zxid of that write, or the floor recorded in it where that is higher. Rises from term
 *     to term, also after an ensemble was wiped and repaired
 * @param leaderVersion the data version of {@code /leader} that this term made; every claim checks it
 * @param latchNode full path of the latch node under which it was taken
 * @param instanceId who leads
 * @param since when, by the leader's wall clock
 */
public record Tenure(long number, long token, int leaderVersion, String latchNode, String instanceId, Instant since) {}
