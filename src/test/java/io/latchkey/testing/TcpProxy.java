package io.latchkey.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A network that can be broken at will: real sockets between a client and one server. Thread-safe; each switch works at
 * once, on connections there are and those to come, until {@link #heal}.
 */
public final class TcpProxy implements AutoCloseable {
    /** Which way bytes go. */
    public enum Direction {
        TO_SERVER,
        TO_CLIENT
    }

    private final ServerSocket listener;
    private final InetSocketAddress target;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final Set<Direction> frozen = EnumSet.noneOf(Direction.class);
    private boolean cut;
    private boolean dropReplies;
    private boolean closed;
    private long swallowedBytes;
    private volatile Duration delay = Duration.ZERO;

    /**
     * Listens on a free port.
     *
     * @param server such as {@code 127.0.0.1:2181}
     */
    public TcpProxy(String server) throws IOException {
        int colon = server.lastIndexOf(':');
        target = new InetSocketAddress(server.substring(0, colon), Integer.parseInt(server.substring(colon + 1)));
        listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon("tcp-proxy-accept", this::accept);
    }

    public String connectString() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    /** Closes every connection at once and lets none in. */
    public void cut() {
        synchronized (this) {
            cut = true;
            notifyAll();
        }
        links.forEach(Link::close);
    }

    /** Holds bytes both ways; connections stay open, as with a cable pulled. */
    public void freeze() {
        freeze(Direction.TO_SERVER);
        freeze(Direction.TO_CLIENT);
    }

    /** Holds bytes one way. */
    public synchronized void freeze(Direction direction) {
        frozen.add(direction);
    }

    /** What clients say reaches the server; what the server says is lost. */
    public synchronized void dropReplies() {
        dropReplies = true;
    }

    /** How many bytes of replies have been lost so far: proof that the server did answer. */
    public synchronized long swallowedBytes() {
        return swallowedBytes;
    }

    /** Every piece of data takes this much longer, each way. */
    public void delay(Duration each) {
        delay = each;
    }

    /** Bytes held are delivered; a connection that lost some is closed, since its stream makes no sense any more. */
    public void heal() {
        synchronized (this) {
            cut = false;
            dropReplies = false;
            frozen.clear();
            notifyAll();
        }
        delay = Duration.ZERO;
        links.stream().filter(link -> link.lostBytes).forEach(Link::close);
    }

    private void accept() {
        while (true) {
            try {
                Socket client = listener.accept();
                if (isCut()) {
                    client.close();
                } else {
                    daemon("tcp-proxy-connect", () -> connect(client));
                }
            } catch (IOException e) {
                return; // the listener was closed
            }
        }
    }

    private synchronized boolean isCut() {
        return cut || closed;
    }

    private void connect(Socket client) {
        Socket server = new Socket();
        try {
            server.connect(target, 5000);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        } catch (IOException e) {
            closeQuietly(client);
            closeQuietly(server);
            return;
        }
        Link link = new Link(client, server);
        links.add(link);
        if (isCut()) {
            link.close();
        }
        daemon("tcp-proxy-up", () -> link.pump(client, server, Direction.TO_SERVER));
        daemon("tcp-proxy-down", () -> link.pump(server, client, Direction.TO_CLIENT));
    }

    private final class Link {
        private final Socket client;
        private final Socket server;
        private volatile boolean lostBytes;

        Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void pump(Socket from, Socket to, Direction direction) {
            byte[] buffer = new byte[16 * 1024];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    if (!delay.isZero()) {
                        Thread.sleep(delay.toMillis());
                    }
                    if (passes(direction, n)) {
                        out.write(buffer, 0, n);
                    }
                }
            } catch (IOException e) {
                // One side is gone: so is the link.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                close();
            }
        }

        /** Waits while frozen; false if the bytes are to be lost. */
        private boolean passes(Direction direction, int bytes) throws InterruptedException, IOException {
            synchronized (TcpProxy.this) {
                while (frozen.contains(direction) && !cut && !closed) {
                    TcpProxy.this.wait();
                }
                if (cut || closed) {
                    throw new IOException("cut");
                }
                if (direction == Direction.TO_CLIENT && (dropReplies || lostBytes)) {
                    lostBytes = true;
                    swallowedBytes += bytes;
                    return false;
                }
                return true;
            }
        }

        void close() {
            links.remove(this);
            closeQuietly(client);
            closeQuietly(server);
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
            throw new UncheckedIOException(e);
        }
        links.forEach(Link::close);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // There is nothing to be done about a socket that fails to close in a test.
        }
    }

    private static void daemon(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }
}
