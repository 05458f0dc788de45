/**
 * Quartz, one term at a time: builds a fresh scheduler and job store for each term from the job catalog and the ledger,
 * claims every fire before it runs, recovers what earlier terms left, and keeps track of what runs in this process.
 *
 * <p>What it does not do: it never decides who leads (election), and it never writes znodes (ledger). {@link
 * io.latchkey.scheduler.LedgerJobStore} is the only place where Quartz and the ledger meet.
 */
@NullMarked
package io.latchkey.scheduler;

import org.jspecify.annotations.NullMarked;
