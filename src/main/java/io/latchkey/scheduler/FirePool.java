package io.latchkey.scheduler;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.quartz.spi.ThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that run jobs in one term. Quartz's own pool interrupts or abandons what runs when it is shut down; here
 * shutting down only means that nothing new is taken: running jobs keep their threads, which end with them. Safe for use
 * by any number of threads.
 */
final class FirePool implements ThreadPool {
    private static final Logger log = LoggerFactory.getLogger(FirePool.class);
    private static final long IDLE_SECONDS = 30;

    private final int size;
    private final ThreadPoolExecutor executor;
    private int free;
    private boolean shutDown;

    FirePool(int size, ThreadFactory threads) {
        this.size = size;
        this.free = size;
        // Quartz never hands over more than it was told are free, so the queue only bridges the moment in which a
        // thread
        // that has reported itself free returns to the executor.
        this.executor = new ThreadPoolExecutor(
                size, size, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
        executor.allowCoreThreadTimeOut(true);
    }

    @Override
    public boolean runInThread(Runnable task) {
        synchronized (this) {
            if (!shutDown) {
                return free > 0 && handOver(task);
            }
        }
        // Quartz's thread was past its claim when the term ended. The frame around the job finds the gate closed and
        // gives
        // the claim back, which needs no thread; told that there is none, Quartz would call that an error.
        task.run();
        return true;
    }

    private boolean handOver(Runnable task) {
        try {
            executor.execute(() -> runAndFree(task));
        } catch (RejectedExecutionException e) {
            log.warn("No thread for a fire that was already claimed; it is released for the next leader", e);
            return false;
        }
        free--;
        return true;
    }

    private void runAndFree(Runnable task) {
        try {
            task.run();
        } finally {
            // An interrupt meant for this job must not reach the next one on this thread.
            Thread.interrupted();
            synchronized (this) {
                free++;
                notifyAll();
            }
        }
    }

    /** Waits until a thread is free. Returns 0 only once the pool is shut down, or when the waiter was interrupted. */
    @Override
    public synchronized int blockForAvailableThreads() {
        while (free == 0 && !shutDown) {
            try {
                wait();
            } catch (InterruptedException e) {
                // Only a shutdown of the scheduler interrupts its thread, which then looks whether it is halted. The
                // flag is not set again: Quartz's loop would spin on it until the shutdown has got further.
                log.debug("Interrupted while waiting for a free thread", e);
                return free;
            }
        }
        return free;
    }

    /** How many jobs could start now. */
    synchronized int free() {
        return free;
    }

    @Override
    public synchronized void shutdown(boolean waitForJobsToComplete) {
        shutDown = true;
        executor.shutdown();
        notifyAll();
    }

    @Override
    public void initialize() {
        // Threads are made as they are needed.
    }

    @Override
    public int getPoolSize() {
        return size;
    }

    @Override
    public void setInstanceId(String schedulerInstanceId) {
        // Names of threads come from their factory.
    }

    @Override
    public void setInstanceName(String schedulerName) {
        // Names of threads come from their factory.
    }
}
