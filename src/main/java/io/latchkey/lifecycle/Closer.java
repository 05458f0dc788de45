package io.latchkey.lifecycle;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stack of things to close. What was pushed last is closed first, since it may use what was there before it. A failure
 * is logged and kept, and the rest is closed all the same.
 *
 * <p>Safe for use by several threads; a second {@link #close} waits for the first and does nothing.
 */
public final class Closer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Closer.class);

    private final Deque<Entry> stack = new ArrayDeque<>();
    private boolean closed;

    private record Entry(String what, AutoCloseable resource) {}

    /**
     * Adds something to close before all that is there.
     *
     * @param what its name in the log
     * @return the resource, so that it can be made and pushed in one expression
     * @throws IllegalStateException if closed already; the resource is closed then, so that nothing leaks
     */
    public synchronized <T extends AutoCloseable> T push(String what, T resource) {
        if (closed) {
            IllegalStateException late = new IllegalStateException("Closed already, cannot add " + what);
            closeOne(new Entry(what, resource), late);
            throw late;
        }
        stack.push(new Entry(what, resource));
        return resource;
    }

    /**
     * Closes everything in reverse order.
     *
     * @throws IllegalStateException after all was tried, if something failed: its cause is the first failure, which has
     *     the later ones suppressed in it
     * @throws Error the first failure, if it was an error
     */
    @Override
    public synchronized void close() {
        closed = true;
        Throwable first = null;
        while (!stack.isEmpty()) {
            Throwable failure = closeOne(stack.pop(), first);
            first = first == null ? failure : first;
        }
        if (first instanceof Error error) {
            throw error;
        }
        if (first != null) {
            throw new IllegalStateException("Not everything closed: " + first, first);
        }
    }

    /** Returns the failure, or null; a failure is added to {@code earlier} if there is one. */
    // All throwables: one that fails must not keep the others from being closed. It is rethrown at the end.
    private static @Nullable Throwable closeOne(Entry entry, @Nullable Throwable earlier) {
        try {
            log.debug("Closing {}", entry.what());
            entry.resource().close();
            return null;
        } catch (Throwable failure) {
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            log.error("Closing {} failed; going on to close the rest", entry.what(), failure);
            if (earlier != null && earlier != failure) {
                earlier.addSuppressed(failure);
            }
            return failure;
        }
    }
}
