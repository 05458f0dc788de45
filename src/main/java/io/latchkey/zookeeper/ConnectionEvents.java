package io.latchkey.zookeeper;

/**
 * Hears of the connection. Called on Curator's one thread for such events, shared by everyone including the latch: close
 * the gate, enqueue the rest, and return at once.
 */
@FunctionalInterface
public interface ConnectionEvents {
    void changed(Connection state);

    /** What became of the connection. */
    enum Connection {
        /** Connected for the first time. */
        CONNECTED,
        /** No server in contact; the session may live or not. */
        SUSPENDED,
        /** The session is over, or taken to be. Curator says so late: it is no deadline. */
        LOST,
        /** In contact again: with the same session after SUSPENDED, with a new one after LOST. */
        RECONNECTED
    }
}
