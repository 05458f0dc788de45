/**
 * What is due, who may run it, and what became of it: cursors, claims, running records, outcomes, history.
 *
 * <p>A fire is run only by the one whose claim (a fenced ZooKeeper transaction, see {@link
 * io.latchkey.ledger.TermLedger#claim}) was confirmed; it is in the ledger from the moment its slot comes due until its
 * outcome is in the history. What the ledger does <em>not</em> promise: a job that is already running cannot be stopped
 * by it. Such a job is told its fencing token, for the systems it writes to.
 */
@NullMarked
package io.latchkey.ledger;

import org.jspecify.annotations.NullMarked;
