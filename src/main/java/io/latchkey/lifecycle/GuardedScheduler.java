package io.latchkey.lifecycle;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A single-threaded scheduler whose periodic tasks survive what they throw, and whose failures are said. */
final class GuardedScheduler extends ScheduledThreadPoolExecutor {
    private final String name;
    private final Faults faults;

    GuardedScheduler(String name, ThreadFactory factory, Faults faults) {
        super(1, factory);
        this.name = name;
        this.faults = faults;
        // A cancelled task would otherwise hold what it refers to until its time comes.
        setRemoveOnCancelPolicy(true);
        setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long delay, long period, TimeUnit unit) {
        return super.scheduleAtFixedRate(GuardedExecutor.guard(name, task, faults), delay, period, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long initialDelay, long delay, TimeUnit unit) {
        return super.scheduleWithFixedDelay(GuardedExecutor.guard(name, task, faults), initialDelay, delay, unit);
    }

    @Override
    protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
        super.afterExecute(task, thrown);
        GuardedExecutor.reportFailed(name, task, faults);
    }
}
