package io.latchkey.drill;

import io.latchkey.lifecycle.Threads;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One wire of the drill's network: whoever connects here is connected to one server, until the wire is broken. Bytes that
 * are held stay held until it is mended, as with a cable pulled. Thread-safe; each switch works at once, on connections
 * there are and those to come.
 */
final class Wire implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Wire.class);
    private static final int CONNECT_MILLIS = 2000;
    private static final int AGAIN_MILLIS = 50;

    /** Which way bytes go. */
    enum Way {
        TO_SERVER,
        TO_CLIENT
    }

    private final Threads threads;
    private final String name;
    private final ServerSocket listener;
    private final InetSocketAddress target;
    private final Duration patience;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final Set<Way> held = EnumSet.noneOf(Way.class);
    private boolean reset;
    private boolean closed;
    private Duration delay = Duration.ZERO;
    private SessionSniffer.@Nullable Credentials session;
    private Instant sessionAt = Instant.MIN;

    /**
     * A wire to a port of this machine.
     *
     * @param patience how long a connection is kept while the server does not listen yet. Whoever was let in here cannot be
     *     refused like one that calls at the server's own port; a ZooKeeper server tries again after the one, but
     *     looks for another leader after the other.
     */
    Wire(Threads threads, String name, int targetPort, Duration patience) throws IOException {
        this.threads = threads;
        this.name = name;
        this.patience = patience;
        this.target = new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort);
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.start("wire-" + name, this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Holds bytes one way. */
    synchronized void hold(Way way) {
        held.add(way);
    }

    /** Holds bytes both ways. */
    void hold() {
        hold(Way.TO_SERVER);
        hold(Way.TO_CLIENT);
    }

    /** Closes every connection at once and lets none in. */
    void reset() {
        synchronized (this) {
            reset = true;
            notifyAll();
        }
        links.forEach(Link::close);
    }

    /** Every piece of data takes this much longer, each way. */
    synchronized void slow(Duration each) {
        delay = each;
    }

    /** All is well again; what was held is delivered. */
    synchronized void mend() {
        held.clear();
        reset = false;
        delay = Duration.ZERO;
        notifyAll();
    }

    /** Whether something is connected through this wire. */
    boolean inUse() {
        return !links.isEmpty();
    }

    /** The last ZooKeeper session that was opened or taken up through this wire, and when. */
    synchronized Optional<Heard> session() {
        return Optional.ofNullable(session).map(heard -> new Heard(heard, sessionAt));
    }

    /** A session, and when it was heard of. */
    record Heard(SessionSniffer.Credentials session, Instant at) {}

    private void accept() {
        while (true) {
            try {
                Socket client = listener.accept();
                if (refuses()) {
                    client.close();
                } else {
                    client.setTcpNoDelay(true);
                    threads.start("wire-" + name + "-connect", () -> connect(client));
                }
            } catch (IOException e) {
                log.debug("Wire {} accepts no more", name, e);
                return;
            }
        }
    }

    private synchronized boolean refuses() {
        return reset || closed;
    }

    private void connect(Socket client) {
        Optional<Socket> reached = reach();
        if (reached.isEmpty()) {
            closeSocket(client);
            return;
        }
        Socket server = reached.get();
        Link link = new Link(client, server);
        links.add(link);
        if (refuses()) {
            link.close();
            return;
        }
        threads.start("wire-" + name + "-out", () -> link.pump(client, server, Way.TO_SERVER));
        threads.start("wire-" + name + "-in", () -> link.pump(server, client, Way.TO_CLIENT));
    }

    private Optional<Socket> reach() {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!refuses()) {
            Socket server = new Socket();
            try {
                server.setTcpNoDelay(true);
                server.connect(target, CONNECT_MILLIS);
                return Optional.of(server);
            } catch (IOException e) {
                log.debug("Wire {}: the server is not there", name, e);
                closeSocket(server);
            }
            if (System.nanoTime() - deadline >= 0) {
                break;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(AGAIN_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        return Optional.empty();
    }

    private synchronized Duration delay() {
        return delay;
    }

    private synchronized void awaitPassage(Way way) throws InterruptedException, IOException {
        while (held.contains(way) && !reset && !closed) {
            wait();
        }
        if (reset || closed) {
            throw new IOException("the wire is cut");
        }
    }

    private synchronized void heard(SessionSniffer.Credentials credentials) {
        session = credentials;
        sessionAt = Instant.now();
    }

    private final class Link {
        private final Socket client;
        private final Socket server;
        private final SessionSniffer sniffer = new SessionSniffer();

        Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void pump(Socket from, Socket to, Way way) {
            byte[] buffer = new byte[16 * 1024];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    Duration each = delay();
                    if (!each.isZero()) {
                        TimeUnit.MILLISECONDS.sleep(each.toMillis());
                    }
                    awaitPassage(way);
                    if (way == Way.TO_CLIENT) {
                        SessionSniffer.Credentials credentials = sniffer.took(buffer, n);
                        if (credentials != null) {
                            heard(credentials);
                        }
                    }
                    out.write(buffer, 0, n);
                }
            } catch (IOException e) {
                log.debug("Wire {}: one side is gone, so is the link", name, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                close();
            }
        }

        void close() {
            links.remove(this);
            closeSocket(client);
            closeSocket(server);
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            listener.close();
        } catch (IOException e) {
            log.debug("Wire {} did not close well", name, e);
        }
        links.forEach(Link::close);
    }

    private static void closeSocket(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            log.debug("A socket did not close well", e);
        }
    }
}
