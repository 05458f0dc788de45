package io.latchkey.console;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends connections that send a request so slowly that it never ends: a byte now and then keeps a connection from being idle,
 * and enough of them keep others out. One that has sent something, but no whole request, for as long as two looks are apart
 * is cut. Requests that are being answered, event streams among them, take as long as they take.
 */
final class SlowConnections implements Connection.Listener, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SlowConnections.class);

    private final Map<Connection, State> known = new ConcurrentHashMap<>();
    private final ScheduledFuture<?> looks;

    /** @param every how often is looked */
    SlowConnections(ScheduledExecutorService timer, Duration every) {
        looks = timer.scheduleWithFixedDelay(this::look, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** What a connection had done when it was looked at. */
    private record State(long requests, long answers, long bytes) {
        static State of(Connection connection) {
            return new State(connection.getMessagesIn(), connection.getMessagesOut(), connection.getBytesIn());
        }

        /** Bytes came since, and nothing of them made a request, and none is being answered. */
        boolean trickled(State now) {
            return now.requests == requests && now.answers == requests && now.bytes > bytes;
        }
    }

    @Override
    public void onOpened(Connection connection) {
        known.put(connection, State.of(connection));
    }

    @Override
    public void onClosed(Connection connection) {
        known.remove(connection);
    }

    private void look() {
        known.forEach((connection, before) -> {
            State now = State.of(connection);
            if (before.trickled(now)) {
                log.debug("A connection sends its request too slowly and is cut: {}", connection);
                known.remove(connection);
                connection.getEndPoint().close();
            } else {
                known.replace(connection, before, now);
            }
        });
    }

    @Override
    public void close() {
        looks.cancel(false);
    }
}
