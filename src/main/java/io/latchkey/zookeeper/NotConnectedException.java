package io.latchkey.zookeeper;

/** There is no ZooKeeper session to speak of just now; the client goes on trying to get one. */
public final class NotConnectedException extends Exception {
    private static final long serialVersionUID = 1L;

    NotConnectedException(String message) {
        super(message);
    }

    NotConnectedException(String message, Throwable cause) {
        super(message, cause);
    }
}
