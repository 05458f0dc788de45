/**
 * Talking to ZooKeeper: building the client, the paths of the znodes, transactions whose results are types, the embedded
 * server, and the records' JSON.
 *
 * <p>What must never be carried over to another session goes through {@link io.latchkey.zookeeper.Session}; Curator is for
 * its latch and for following the connection.
 */
@NullMarked
package io.latchkey.zookeeper;

import org.jspecify.annotations.NullMarked;
