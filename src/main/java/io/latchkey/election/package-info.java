/**
 * Who leads, and when it must stop.
 *
 * <p>What this package does <b>not</b> guarantee: that at most one instance believes it leads at any moment. No
 * coordinator can. Two may believe it while one of them is frozen, cut off, or told wrongly by its latch. What it does
 * guarantee is that only one of them can write as the leader: each {@link io.latchkey.election.Term} is a write to
 * {@code /leader}, and every claim checks that write's version. Nor can a job that already runs be stopped from here: it
 * is interrupted before another instance can hold the latch, and it is handed a fencing token that other systems can check.
 *
 * <p>Three things close a leader's {@link io.latchkey.election.Gate}, each on the thread that learns of it: the
 * connection or the latch going, a write of the term being refused, and the {@link io.latchkey.election.Lease} running
 * out. One thread, {@code leadership}, owns the {@link io.latchkey.election.Role} and calls the
 * {@link io.latchkey.election.TermWorker}.
 */
@NullMarked
package io.latchkey.election;

import org.jspecify.annotations.NullMarked;
