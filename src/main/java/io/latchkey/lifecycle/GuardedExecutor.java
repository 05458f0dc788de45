package io.latchkey.lifecycle;

import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A single-threaded executor that says when a task failed, also one whose future nobody looks at. */
final class GuardedExecutor extends ThreadPoolExecutor {
    private final String name;
    private final Faults faults;

    GuardedExecutor(String name, ThreadFactory factory, Faults faults) {
        super(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        this.name = name;
        this.faults = faults;
    }

    @Override
    public void execute(Runnable command) {
        // A submitted task arrives as a future, which keeps its failure until afterExecute looks.
        super.execute(command instanceof Future<?> ? command : guard(name, command, faults));
    }

    @Override
    protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
        super.afterExecute(task, thrown);
        reportFailed(name, task, faults);
    }

    /** The task, but with what it throws reported and not thrown, so that the thread lives on. */
    static Runnable guard(String name, Runnable task, Faults faults) {
        return () -> {
            try {
                task.run();
            } catch (Throwable failure) {
                faults.report(failed(name), failure);
            }
        };
    }

    /** Reports the failure of a task that is a future and has ended by one. */
    static void reportFailed(String name, Runnable task, Faults faults) {
        if (!(task instanceof Future<?> future) || !future.isDone() || future.isCancelled()) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            future.get();
        } catch (ExecutionException e) {
            faults.report(failed(name), e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException | CancellationException e) {
            // Neither can come from a future that is done and was not cancelled; said all the same if it does.
            faults.report(failed(name), e);
            interrupted |= e instanceof InterruptedException;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static String failed(String name) {
        return "A task on thread \"" + name + "\" failed; the thread goes on with the next";
    }
}
