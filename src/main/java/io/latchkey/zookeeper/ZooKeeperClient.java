package io.latchkey.zookeeper;

import io.latchkey.conf.Durations;
import io.latchkey.conf.ZooKeeperSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ConfigException;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of one instance to ZooKeeper: kept up, and taken up again with a new session where the old one is over,
 * until it is closed. Thread-safe.
 *
 * <p>{@link #curator()} is for the latch; reads and writes that belong to one session go through {@link #session()}.
 */
public final class ZooKeeperClient implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ZooKeeperClient.class);
    private static final Duration STEP = Duration.ofSeconds(2);

    private final ZooKeeperSettings settings;
    private final ZNodes znodes;
    private final Credentials credentials;
    private final CuratorFramework curator;
    private final Layout layout;
    private final List<LongConsumer> writes = new CopyOnWriteArrayList<>();
    private @Nullable Session pinned;
    private List<String> unknownHosts = List.of();
    private String lastTrouble = "";

    private ZooKeeperClient(ZooKeeperSettings settings, Credentials credentials, ZKClientConfig clientConfig) {
        this.settings = settings;
        this.znodes = new ZNodes(settings.root());
        this.credentials = credentials;
        this.layout = new Layout(settings.connect(), znodes, credentials, clientConfig, settings.connectionTimeout());
        this.curator = build(settings, credentials, clientConfig);
    }

    /**
     * Starts to connect, and returns without waiting for it.
     *
     * @param settings with the servers' addresses known, for an embedded server too
     * @throws SetupException if the credentials or the client configuration cannot be read
     */
    public static ZooKeeperClient start(ZooKeeperSettings settings) throws SetupException {
        if (settings.connect().hosts().isEmpty()) {
            throw new IllegalArgumentException("The embedded server's address is not filled in");
        }
        Credentials credentials = settings.authFile().isPresent()
                ? Credentials.read(settings.authFile().get())
                : Credentials.none();
        ZooKeeperClient client = new ZooKeeperClient(settings, credentials, clientConfig(settings.clientConfig()));
        client.logOnItsEdges();
        client.curator.start();
        log.info(
                "Connecting to ZooKeeper at {}, session timeout {} asked, credentials {}",
                settings.connect(),
                Durations.format(settings.sessionTimeout()),
                credentials);
        return client;
    }

    private static CuratorFramework build(
            ZooKeeperSettings settings, Credentials credentials, ZKClientConfig clientConfig) {
        List<ACL> acl = credentials.acl();
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(settings.connect().toString())
                .sessionTimeoutMs(Math.toIntExact(settings.sessionTimeout().toMillis()))
                .connectionTimeoutMs(
                        Math.toIntExact(settings.connectionTimeout().toMillis()))
                .retryPolicy(new RetryWithoutEnd())
                // A server cut off from the quorum must not pass for a connection: the latch ignores that state.
                .canBeReadOnly(false)
                .ensembleTracker(settings.ensembleTracker())
                .dontUseContainerParents()
                .zkClientConfig(clientConfig)
                .aclProvider(new ACLProvider() {
                    @Override
                    public List<ACL> getDefaultAcl() {
                        return acl;
                    }

                    @Override
                    public List<ACL> getAclForPath(String path) {
                        return acl;
                    }
                });
        if (credentials.present()) {
            builder.authorization(credentials.scheme(), credentials.secret());
        }
        return builder.build();
    }

    static ZKClientConfig clientConfig(Optional<Path> file) throws SetupException {
        if (file.isEmpty()) {
            return new ZKClientConfig();
        }
        try {
            return new ZKClientConfig(file.get());
        } catch (ConfigException e) {
            throw new SetupException(
                    "ZooKeeper's client configuration cannot be read",
                    "zookeeper.client-config " + file.get(),
                    "Make it a properties file that this user may read, or remove the setting",
                    e);
        }
    }

    public CuratorFramework curator() {
        return curator;
    }

    public ZNodes znodes() {
        return znodes;
    }

    /**
     * Pins the session there is now. The same object as before while it is the same session.
     *
     * @throws NotConnectedException if no server is in contact
     */
    public synchronized Session session() throws NotConnectedException {
        ZooKeeper handle = handle();
        Session known = pinned;
        if (known != null && known.isOf(handle)) {
            return known;
        }
        Session session = new Session(handle, credentials.acl(), nanos -> writes.forEach(told -> told.accept(nanos)));
        pinned = session;
        return session;
    }

    private ZooKeeper handle() throws NotConnectedException {
        ZooKeeper handle;
        try {
            handle = curator.getZookeeperClient().getZooKeeper();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotConnectedException("Interrupted", e);
        } catch (Exception e) {
            throw new NotConnectedException("No connection to ZooKeeper at " + settings.connect(), e);
        }
        if (handle == null || !handle.getState().isConnected() || handle.getSessionId() == 0) {
            throw new NotConnectedException("No connection to ZooKeeper at " + settings.connect());
        }
        return handle;
    }

    /** The session timeout as the server granted it; empty while not connected. */
    public Optional<Duration> negotiatedTimeout() {
        try {
            return Optional.of(session().timeout());
        } catch (NotConnectedException e) {
            log.debug("No negotiated timeout", e);
            return Optional.empty();
        }
    }

    /**
     * Waits until there is a session and the service's nodes are there. Says which hosts are unknown while it waits.
     *
     * @return false if the time has passed; the client goes on trying
     * @throws SetupException if ZooKeeper answers, but does not let the service in
     */
    public boolean awaitConnected(Duration patience) throws SetupException, InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        boolean first = true;
        while (true) {
            long left = deadline - System.nanoTime();
            if (left <= 0 && !first) {
                return false;
            }
            first = false;
            long step = Math.max(1, TimeUnit.NANOSECONDS.toMillis(Math.min(left, STEP.toNanos())));
            if (curator.blockUntilConnected(Math.toIntExact(step), TimeUnit.MILLISECONDS)) {
                try {
                    prepare();
                    return true;
                } catch (NotConnectedException e) {
                    sayOnce(e);
                    TimeUnit.MILLISECONDS.sleep(50);
                }
            } else {
                sayWhatIsWrong();
            }
        }
    }

    /**
     * Makes the chroot, the root and the fixed nodes below it where they are missing, as after the ensemble lost its data.
     * Blocks for some round trips.
     *
     * @throws NotConnectedException if there is no connection, or it went meanwhile
     * @throws SetupException if it is not permitted
     */
    public void prepare() throws NotConnectedException, SetupException, InterruptedException {
        layout.ensure(session());
    }

    private void sayWhatIsWrong() throws SetupException {
        try {
            ZooKeeper handle = curator.getZookeeperClient().getZooKeeper();
            if (handle != null && handle.getState() == ZooKeeper.States.AUTH_FAILED) {
                throw new SetupException(
                        "ZooKeeper refuses to authenticate this service",
                        "zookeeper.connect " + settings.connect() + ", credentials " + credentials,
                        "Check zookeeper.auth-file and zookeeper.client-config");
            }
        } catch (SetupException e) {
            throw e;
        } catch (Exception e) {
            log.debug("No handle yet", e);
        }
        List<String> unknown = UnknownHosts.of(settings.connect());
        if (!unknown.equals(unknownHosts)) {
            unknownHosts = unknown;
            if (!unknown.isEmpty()) {
                log.warn(
                        "zookeeper.connect names a host that this machine does not know: {}. Still trying; check the"
                                + " spelling and the name service",
                        String.join(", ", unknown));
            }
        }
    }

    /** Servers that take connections but do not answer, as an ensemble without a quorum, are not tried in silence. */
    private synchronized void sayOnce(NotConnectedException trouble) {
        log.debug("Connected, but no use yet", trouble);
        if (!String.valueOf(trouble.getMessage()).equals(lastTrouble)) {
            lastTrouble = String.valueOf(trouble.getMessage());
            log.warn("ZooKeeper takes the connection, but does not answer as it should: {}. Still trying", lastTrouble);
        }
    }

    /**
     * Calls back with how long each transaction took that was committed, from its send to its answer, in nanoseconds: on
     * ZooKeeper's event thread. The listener must be trivial.
     */
    public void onWrite(LongConsumer nanos) {
        writes.add(nanos);
    }

    /** Whether a server is in contact, as was heard last. Waits for nothing. */
    public boolean connected() {
        return curator.getZookeeperClient().isConnected();
    }

    /** Adds a listener; events before that are not told. Listeners hear in the order they were added in. */
    public void addListener(ConnectionEvents listener) {
        curator.getConnectionStateListenable().addListener((client, state) -> listener.changed(translate(state)));
    }

    private static ConnectionEvents.Connection translate(ConnectionState state) {
        return switch (state) {
            case CONNECTED -> ConnectionEvents.Connection.CONNECTED;
            case RECONNECTED -> ConnectionEvents.Connection.RECONNECTED;
            case LOST -> ConnectionEvents.Connection.LOST;
            // Never asked for; if it came, it would be no connection to lead by.
            case SUSPENDED, READ_ONLY -> ConnectionEvents.Connection.SUSPENDED;
        };
    }

    private void logOnItsEdges() {
        curator.getConnectionStateListenable().addListener((client, state) -> {
            switch (state) {
                case CONNECTED, RECONNECTED -> logConnected();
                case SUSPENDED, READ_ONLY -> log.warn("No ZooKeeper server in contact; trying {}", settings.connect());
                case LOST -> log.warn("The ZooKeeper session is over; trying {} for a new one", settings.connect());
            }
        });
        curator.getUnhandledErrorListenable()
                .addListener((message, failure) -> log.error("In the ZooKeeper client: {}", message, failure));
    }

    private void logConnected() {
        try {
            Session session = session();
            log.info("Connected to ZooKeeper, {}, session timeout {}", session, Durations.format(session.timeout()));
            if (!session.timeout().equals(settings.sessionTimeout())) {
                log.warn(
                        "ZooKeeper granted a session timeout of {} instead of {}: its bounds are 2 to 20 of its ticks",
                        Durations.format(session.timeout()),
                        Durations.format(settings.sessionTimeout()));
            }
        } catch (NotConnectedException e) {
            log.debug("Connected, and gone again", e);
        }
    }

    /** Closes the session: its ephemeral nodes go at once. */
    @Override
    public void close() {
        curator.close();
    }
}
