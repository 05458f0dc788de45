package io.latchkey.conf;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * How to reach ZooKeeper.
 *
 * @param connect the servers and the chroot; while {@code embedded} and not yet {@link #at} a server, it has no hosts
 * @param embedded this process brings its own server, or joins that of another on the same data directory; for
 *     evaluation only
 * @param root the node all of the service's nodes are under, within the chroot: starts with a slash, ends without one
 * @param sessionTimeout what is asked for; the server may negotiate another
 * @param connectionTimeout how long one attempt to connect may take; never longer than the session timeout
 * @param ensembleTracker whether the connect string follows changes of the ensemble
 * @param authFile a file with what to authenticate by: secret
 * @param clientConfig a properties file of ZooKeeper's own client settings (TLS, SASL)
 */
public record ZooKeeperSettings(
        ConnectString connect,
        boolean embedded,
        String root,
        Duration sessionTimeout,
        Duration connectionTimeout,
        boolean ensembleTracker,
        Optional<Path> authFile,
        Optional<Path> clientConfig) {
    static final Range<Duration> SESSION_TIMEOUT = new Range<>(Duration.ofSeconds(1), Duration.ofMinutes(10));
    static final Range<Duration> CONNECTION_TIMEOUT = new Range<>(Duration.ofMillis(100), Duration.ofMinutes(10));

    public ZooKeeperSettings {
        if (!embedded && connect.hosts().isEmpty()) {
            throw new IllegalArgumentException("zookeeper.connect names no server");
        }
        Names.rootProblem(root).ifPresent(problem -> {
            throw new IllegalArgumentException("zookeeper.root " + root + " " + problem);
        });
        SESSION_TIMEOUT.require("zookeeper.session-timeout", sessionTimeout);
        CONNECTION_TIMEOUT.require("zookeeper.connection-timeout", connectionTimeout);
        if (connectionTimeout.compareTo(sessionTimeout) > 0) {
            throw new IllegalArgumentException("zookeeper.connection-timeout is longer than zookeeper.session-timeout");
        }
    }

    /** What the shipped configuration gives, but for these servers. */
    public static ZooKeeperSettings of(ConnectString connect) {
        return new ZooKeeperSettings(
                connect,
                false,
                "/latchkey",
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                true,
                Optional.empty(),
                Optional.empty());
    }

    /** The same with the server's address filled in, once the embedded server runs; still {@code embedded}. */
    public ZooKeeperSettings at(ConnectString server) {
        return new ZooKeeperSettings(
                server, embedded, root, sessionTimeout, connectionTimeout, ensembleTracker, authFile, clientConfig);
    }

    /** The same with other timeouts. */
    public ZooKeeperSettings withTimeouts(Duration session, Duration connection) {
        return new ZooKeeperSettings(
                connect, embedded, root, session, connection, ensembleTracker, authFile, clientConfig);
    }
}
