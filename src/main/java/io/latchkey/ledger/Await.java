package io.latchkey.ledger;

import io.latchkey.conf.Durations;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting for ZooKeeper's answer: bounded, and deaf to interrupts, which would make a known outcome unknown. */
final class Await {
    private Await() {}

    /**
     * The future's value; the interrupt flag is as it was, or set if an interrupt came meanwhile.
     *
     * @throws LedgerException when there is none in time
     */
    static <T> T answer(CompletableFuture<T> future, Duration patience, String what) throws LedgerException {
        boolean interrupted = false;
        long end = System.nanoTime() + patience.toNanos();
        try {
            while (true) {
                try {
                    return future.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (TimeoutException e) {
            throw new LedgerException(
                    "no answer from ZooKeeper within " + Durations.format(patience) + " to: " + what, e);
        } catch (ExecutionException e) {
            throw new LedgerException("failed: " + what, e.getCause() == null ? e : e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
