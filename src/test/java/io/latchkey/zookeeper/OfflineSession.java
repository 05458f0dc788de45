package io.latchkey.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/** A session that has an id and nothing else: for tests of what only asks who it is. */
public final class OfflineSession {
    private OfflineSession() {}

    /** The handle behind it connects to nothing; it is closed with the process. */
    public static Session of(long id) {
        try {
            ZooKeeper handle = new ZooKeeper("127.0.0.1:1", 60_000, event -> {}, id, new byte[16]);
            Session session = new Session(handle, ZooDefs.Ids.OPEN_ACL_UNSAFE);
            // Only the id is asked for. Closing stops its attempts to connect.
            handle.close(0);
            return session;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
