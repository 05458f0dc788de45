package io.latchkey.zookeeper;

import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/** How a read of one node ended: data, children names, or its mere existence. */
public sealed interface ReadResult<T> {
    String path();

    /** The node is there. */
    record Found<T>(String path, T value, Stat stat) implements ReadResult<T> {
        public int version() {
            return stat.getVersion();
        }
    }

    /** There is no such node. */
    record Missing<T>(String path) implements ReadResult<T> {}

    /** Nothing is known of it: the connection or the session went, or reading is not permitted. */
    record Failed<T>(String path, Code code) implements ReadResult<T> {
        public boolean sessionGone() {
            return Codes.isSessionGone(code);
        }
    }

    /**
     * What was found, or empty where there is no such node.
     *
     * @throws ReadFailedException if neither is known
     */
    default Optional<Found<T>> found() throws ReadFailedException {
        if (this instanceof Failed<T> failed) {
            throw new ReadFailedException(failed.path(), failed.code());
        }
        return this instanceof Found<T> found ? Optional.of(found) : Optional.empty();
    }
}
