package io.latchkey.zookeeper;

import io.latchkey.conf.ConnectString;
import io.latchkey.conf.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the chroot, the root and the fixed nodes below it where they are missing. */
final class Layout {
    private static final Logger log = LoggerFactory.getLogger(Layout.class);

    private final ConnectString connect;
    private final ZNodes znodes;
    private final Credentials credentials;
    private final ZKClientConfig clientConfig;
    private final Duration patience;

    Layout(
            ConnectString connect,
            ZNodes znodes,
            Credentials credentials,
            ZKClientConfig clientConfig,
            Duration patience) {
        this.connect = connect;
        this.znodes = znodes;
        this.credentials = credentials;
        this.clientConfig = clientConfig;
        this.patience = patience;
    }

    /**
     * Makes what is missing; a second call finds nothing to do.
     *
     * @throws NotConnectedException if the connection went meanwhile
     * @throws SetupException if it is not permitted
     */
    void ensure(Session session) throws NotConnectedException, SetupException, InterruptedException {
        if (!connect.chroot().isEmpty() && !exists(session, "/")) {
            createChroot();
        }
        create(session, withParents(znodes.root()), "");
        create(
                session,
                List.of(
                        // A persistent parent: the latch's sequence numbers then never start over.
                        znodes.latch(),
                        znodes.instances(),
                        znodes.triggers(),
                        znodes.jobs(),
                        znodes.running(),
                        znodes.history(),
                        znodes.requests()),
                "");
        ReadResult<List<String>> read = await(session.children(znodes.root()));
        if (read instanceof ReadResult.Failed<List<String>> failed) {
            if (failed.code() == Code.NOAUTH) {
                throw forbidden("read", connect.chroot() + znodes.root());
            }
            throw new NotConnectedException("Reading " + znodes.root() + ": " + failed.code());
        }
    }

    /** The chroot can only be made by a client that does not have it. */
    private void createChroot() throws NotConnectedException, SetupException, InterruptedException {
        CountDownLatch connected = new CountDownLatch(1);
        String servers = new ConnectString(connect.hosts(), "").toString();
        ZooKeeper plain = open(servers, connected);
        try {
            if (credentials.present()) {
                plain.addAuthInfo(credentials.scheme(), credentials.secret());
            }
            if (!connected.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new NotConnectedException(
                        "No connection to " + servers + " within " + Durations.format(patience));
            }
            create(new Session(plain, credentials.acl()), withParents(connect.chroot()), "the chroot ");
        } finally {
            plain.close();
        }
    }

    private ZooKeeper open(String servers, CountDownLatch connected) throws NotConnectedException {
        try {
            return new ZooKeeper(
                    servers,
                    Math.toIntExact(patience.toMillis()),
                    event -> {
                        if (event.getState() == KeeperState.SyncConnected) {
                            connected.countDown();
                        }
                    },
                    clientConfig);
        } catch (IOException e) {
            throw new NotConnectedException("No connection to " + servers, e);
        }
    }

    private void create(Session session, List<String> paths, String what)
            throws NotConnectedException, SetupException, InterruptedException {
        for (String path : paths) {
            if (exists(session, path)) {
                continue;
            }
            TxResult result = await(session.commit(new Transaction().create(path, new byte[0])));
            if (result instanceof TxResult.Committed) {
                log.info("Created {}{} in ZooKeeper at {}", what, path, connect);
            } else if (result instanceof TxResult.Refused refused && refused.reason() == TxResult.Reason.NO_AUTH) {
                throw forbidden("create", what + path);
            } else if (!(result instanceof TxResult.Refused refused
                    && refused.reason() == TxResult.Reason.NODE_EXISTS)) {
                throw new NotConnectedException("Creating " + path + " in ZooKeeper at " + connect + ": " + result);
            }
        }
    }

    private boolean exists(Session session, String path) throws NotConnectedException, InterruptedException {
        ReadResult<Stat> result = await(session.exists(path));
        if (result instanceof ReadResult.Failed<Stat> failed) {
            if (failed.code() == Code.NOAUTH) {
                // It is there, only not for us to read; whether that matters shows further down.
                return true;
            }
            throw new NotConnectedException(
                    "Looking for " + path + " in ZooKeeper at " + connect + ": " + failed.code());
        }
        return result instanceof ReadResult.Found<Stat>;
    }

    private SetupException forbidden(String verb, String path) {
        return new SetupException(
                "ZooKeeper does not permit this service to " + verb + " " + path,
                "zookeeper.connect " + connect,
                credentials.present()
                        ? "Check the credentials in zookeeper.auth-file against the node's ACL (zkcli getAcl), or create the"
                                + " node with an ACL that lets them in"
                        : "Set zookeeper.auth-file to credentials that may, or have somebody who may create the node for"
                                + " this service");
    }

    private <T> T await(CompletableFuture<T> future) throws NotConnectedException, InterruptedException {
        try {
            return future.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new NotConnectedException("No answer from ZooKeeper at " + connect + " within " + patience, e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A request to ZooKeeper failed", e.getCause());
        }
    }

    private static List<String> withParents(String path) {
        List<String> all = new ArrayList<>();
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            all.add(path.substring(0, slash));
        }
        all.add(path);
        return all;
    }
}
