package io.latchkey.zookeeper;

import io.latchkey.conf.ZooKeeperSettings;
import java.io.IOException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.admin.ZooKeeperAdmin;

/**
 * ZooKeeper's own client with the service's credentials and TLS, for commands that look once and end. Unlike
 * {@link ZooKeeperClient} it makes no nodes and retries nothing.
 */
public final class PlainClient {
    private PlainClient() {}

    /**
     * Starts to connect, and returns without waiting for it.
     *
     * @param settings with the servers' addresses known, for an embedded server too
     * @param suffix appended to the connect string as a chroot: empty, or a path
     * @param watcher hears of the connection, on ZooKeeper's own thread
     * @throws SetupException if the credentials or the client configuration cannot be read
     */
    public static ZooKeeperAdmin open(ZooKeeperSettings settings, String suffix, Watcher watcher)
            throws SetupException {
        Credentials credentials = credentials(settings);
        String connect = settings.connect() + suffix;
        try {
            ZooKeeperAdmin client = new ZooKeeperAdmin(
                    connect,
                    Math.toIntExact(settings.sessionTimeout().toMillis()),
                    watcher,
                    false,
                    ZooKeeperClient.clientConfig(settings.clientConfig()));
            if (credentials.present()) {
                client.addAuthInfo(credentials.scheme(), credentials.secret());
            }
            return client;
        } catch (IOException e) {
            throw new SetupException(
                    "ZooKeeper's client does not start", connect, "Check zookeeper.connect and its host names", e);
        }
    }

    /**
     * The session of a client that {@link #open} made, once it is connected; what is created on it gets the service's ACL.
     *
     * @throws SetupException if the credentials cannot be read
     */
    public static Session session(ZooKeeper connected, ZooKeeperSettings settings) throws SetupException {
        return new Session(connected, credentials(settings).acl());
    }

    private static Credentials credentials(ZooKeeperSettings settings) throws SetupException {
        return settings.authFile().isPresent()
                ? Credentials.read(settings.authFile().get())
                : Credentials.none();
    }
}
