package io.latchkey.zookeeper;

import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * What one operation of a committed transaction came to.
 *
 * @param path the node; for a sequential creation with its number
 * @param version the node's data version now, as far as the operation tells: 0 for a creation, the checked version for a
 *     check (which may be {@link Transaction#ANY_VERSION}), {@link #UNKNOWN_VERSION} after a deletion
 * @param stat what ZooKeeper reported, which it does for sets alone; null too where the transaction was found applied by
 *     reading back
 */
public record OpOutcome(String path, int version, @Nullable Stat stat) {
    public static final int UNKNOWN_VERSION = -1;
}
