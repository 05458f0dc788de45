package io.latchkey.testing;

import io.latchkey.conf.ConnectString;
import io.latchkey.conf.ZooKeeperSettings;
import io.latchkey.lifecycle.Closer;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/**
 * A real ZooKeeper for a test, one server or three, with a tick of half a second so that sessions may be as short as a
 * second. Closing it closes the proxies and clients it handed out.
 */
public final class TestZooKeeper implements AutoCloseable {
    public static final Duration TICK = Duration.ofMillis(500);

    /** What clients of a test use: short, but no shorter than a loaded machine's pauses. */
    public static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final TestingServer server;
    private final TestingCluster cluster;

    private TestZooKeeper(TestingServer server, TestingCluster cluster) {
        this.server = server;
        this.cluster = cluster;
    }

    /** One server, running. */
    public static TestZooKeeper server() throws Exception {
        return new TestZooKeeper(new TestingServer(spec(), true), null);
    }

    /** An ensemble of three, running. */
    public static TestZooKeeper cluster() throws Exception {
        TestingCluster cluster = new TestingCluster(List.of(spec(), spec(), spec()));
        cluster.start();
        return new TestZooKeeper(null, cluster);
    }

    private static InstanceSpec spec() {
        return new InstanceSpec(
                null, -1, -1, -1, true, -1, (int) TICK.toMillis(), 200, Map.of("admin.enableServer", "false"));
    }

    public String connectString() {
        return server != null ? server.getConnectString() : cluster.getConnectString();
    }

    /** The servers one by one. */
    public List<String> serverAddresses() {
        return List.of(connectString().split(","));
    }

    /** The ensemble under it; only after {@link #cluster}. */
    public TestingCluster ensemble() {
        return cluster;
    }

    /** A network of its own to the (first) server, for a client to be cut off by. */
    public TcpProxy viaProxy() throws Exception {
        return remember(new TcpProxy(serverAddresses().get(0)));
    }

    public ZooKeeperSettings settings() {
        return settings(connectString());
    }

    /** Settings of a test's client. The connect string stays as given: the ensemble's own list would go round a proxy. */
    public static ZooKeeperSettings settings(String connectString) {
        return settings(connectString, SESSION_TIMEOUT);
    }

    public static ZooKeeperSettings settings(String connectString, Duration sessionTimeout) {
        ZooKeeperSettings usual = ZooKeeperSettings.of(ConnectString.parse(connectString));
        return new ZooKeeperSettings(
                usual.connect(),
                false,
                usual.root(),
                sessionTimeout,
                sessionTimeout.compareTo(Duration.ofSeconds(3)) < 0 ? sessionTimeout : Duration.ofSeconds(3),
                false,
                usual.authFile(),
                usual.clientConfig());
    }

    /** A client of its own session, connected. */
    public ZooKeeperClient client() throws Exception {
        return client(settings());
    }

    /** A client through a proxy, connected. */
    public ZooKeeperClient client(TcpProxy proxy) throws Exception {
        return client(settings(proxy.connectString()));
    }

    public ZooKeeperClient client(ZooKeeperSettings settings) throws Exception {
        ZooKeeperClient client = remember(ZooKeeperClient.start(settings));
        if (!client.awaitConnected(Duration.ofSeconds(30))) {
            throw new IllegalStateException("No connection to " + settings.connect() + " within 30 s");
        }
        return client;
    }

    /**
     * Ends a session as the server would, ephemeral nodes and all, by a second client that takes it over and closes it;
     * returns when it is done. The first client learns of it on its next contact.
     */
    public void expire(Session session) throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper second = new ZooKeeper(
                connectString(),
                Math.toIntExact(session.timeout().toMillis()),
                event -> {
                    if (event.getState() == KeeperState.SyncConnected || event.getState() == KeeperState.Expired) {
                        connected.countDown();
                    }
                },
                session.id(),
                session.password());
        try {
            if (!connected.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Could not take over " + session + " within 30 s");
            }
        } finally {
            second.close();
        }
    }

    /** Stops the one server; its data and port are kept for {@link #restart}. */
    public void stop() throws Exception {
        server.stop();
    }

    public void restart() throws Exception {
        server.restart();
    }

    private <T extends AutoCloseable> T remember(T resource) {
        synchronized (opened) {
            opened.add(resource);
        }
        return resource;
    }

    @Override
    public void close() {
        List<AutoCloseable> all;
        synchronized (opened) {
            all = new ArrayList<>(opened);
        }
        try (Closer closer = new Closer()) {
            if (server != null) {
                closer.push("ZooKeeper server", server);
            }
            if (cluster != null) {
                closer.push("ZooKeeper ensemble", cluster);
            }
            // Clients come after the proxies they were opened through, and are closed before them.
            all.forEach(resource -> closer.push(resource.getClass().getSimpleName(), resource));
        }
    }
}
