package io.latchkey.lifecycle;

import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes every throwable that no one else handled. After an {@link OutOfMemoryError} or another error of the virtual
 * machine nothing in this process can be trusted, and a leader that cannot allocate must not linger: the process is
 * halted at once, so that its session ends and another instance leads. Anything else is logged as ours to fix.
 *
 * <p>A {@link StackOverflowError} is logged and no more: the stack is free again once it was thrown, and a job that
 * recurses too deep must not take the instance with it.
 *
 * <p>Safe for use by any number of threads.
 */
public final class Faults implements Thread.UncaughtExceptionHandler {
    private static final Logger log = LoggerFactory.getLogger(Faults.class);
    private static final int MAX_CAUSES = 20;

    private final IntConsumer halt;

    /** Halts this process when a fault is fatal. */
    public Faults() {
        this(Runtime.getRuntime()::halt);
    }

    /** @param halt what to do, with an exit code, in place of halting the process; it may return */
    public Faults(IntConsumer halt) {
        this.halt = halt;
    }

    @Override
    public void uncaughtException(Thread thread, Throwable fault) {
        report("Thread \"" + thread.getName() + "\" ended by an error", fault);
    }

    /** Logs the fault, and halts the process if it is an error of the virtual machine; otherwise returns. */
    public void fatal(Throwable fault) {
        report("Unhandled error in thread \"" + Thread.currentThread().getName() + "\"", fault);
    }

    /** The same as {@link #fatal}, with a sentence of the caller's on what failed and what goes on now. */
    public void report(String what, Throwable fault) {
        if (!isFatal(fault)) {
            log.error("{}: {}", what, fault.toString(), fault);
            return;
        }
        try {
            log.error(
                    "{}: {}. The virtual machine cannot be trusted any more; this instance halts now (exit code {})"
                            + " and another takes over. Give it more memory (LATCHKEY_HEAP) or find what used it up.",
                    what,
                    fault.toString(),
                    ExitCode.FATAL.code(),
                    fault);
        } finally {
            // Logging may run out of memory as well; the halt must come all the same.
            halt.accept(ExitCode.FATAL.code());
        }
    }

    /** Whether the fault, or what caused it, is an error of the virtual machine that the process must not survive. */
    public static boolean isFatal(Throwable fault) {
        Throwable at = fault;
        for (int depth = 0; at != null && depth < MAX_CAUSES; depth++) {
            if (at instanceof VirtualMachineError && !(at instanceof StackOverflowError)) {
                return true;
            }
            at = at.getCause();
        }
        return false;
    }
}
