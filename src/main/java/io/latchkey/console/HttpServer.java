package io.latchkey.console;

import io.latchkey.conf.HttpSettings;
import io.latchkey.lifecycle.Threads;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.ScheduledExecutorService;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Jetty, set up: few threads of our own making, one port, limits on everything, and nothing said about itself. */
final class HttpServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HttpServer.class);
    private static final int MAX_THREADS = 8;
    private static final int MAX_CONNECTIONS = 400;
    private static final int MAX_HEADERS = 8 * 1024;
    private static final Duration IDLE = Duration.ofSeconds(30);

    /** Names of jobs may hold what is ambiguous in a path: paths are taken apart by {@link Uris}, and lead to no file. */
    private static final UriCompliance PATHS = new UriCompliance(
            "latchkey",
            EnumSet.of(
                    UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
                    UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
                    UriCompliance.Violation.SUSPICIOUS_PATH_CHARACTERS));

    private final Server server;
    private final ServerConnector connector;
    private final SlowConnections slow;
    private final String address;

    private HttpServer(Server server, ServerConnector connector, SlowConnections slow, String address) {
        this.server = server;
        this.connector = connector;
        this.slow = slow;
        this.address = address;
    }

    /**
     * Listens from now on.
     *
     * @throws ConsoleException if it cannot: the port is taken, the address is not this machine's, the keystore is unusable
     */
    static HttpServer start(
            HttpSettings settings, Front front, Threads threads, ScheduledExecutorService timer, SlowConnections slow)
            throws ConsoleException {
        QueuedThreadPool pool = new QueuedThreadPool(
                MAX_THREADS, 2, Math.toIntExact(IDLE.toMillis()), 0, null, null, threads.factory("http"));
        pool.setName("http");
        pool.setDaemon(true);
        Server server = new Server(pool, new ScheduledExecutorScheduler(timer), null);
        server.setStopAtShutdown(false);
        server.setErrorHandler(new Errors());
        server.setHandler(front);
        ServerConnector connector = connector(server, settings);
        connector.setIdleTimeout(IDLE.toMillis());
        connector.addBean(slow);
        ServerSocketChannel channel = bind(settings);
        boolean started = false;
        try {
            connector.open(channel);
            server.addConnector(connector);
            server.addBean(new NetworkConnectionLimit(MAX_CONNECTIONS, server));
            server.start();
            InetSocketAddress bound = (InetSocketAddress) channel.getLocalAddress();
            front.open(new HostCheck(bound));
            started = true;
            return new HttpServer(server, connector, slow, address(settings, bound));
        } catch (Exception e) {
            throw new ConsoleException(
                    "The console does not start: " + e.getMessage()
                            + (settings.tls().isPresent()
                                    ? ". Check http.keystore and http.keystore-password-file"
                                    : ""),
                    e);
        } finally {
            if (!started) {
                stop(server, channel);
            }
        }
    }

    private static ServerConnector connector(Server server, HttpSettings settings) throws ConsoleException {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setSendXPoweredBy(false);
        http.setRequestHeaderSize(MAX_HEADERS);
        http.setUriCompliance(PATHS);
        http.setIdleTimeout(IDLE.toMillis());
        if (settings.tls().isEmpty()) {
            return new ServerConnector(server, 0, 1, new HttpConnectionFactory(http));
        }
        // Without a check of the name that was asked for: behind a load balancer it is another.
        http.addCustomizer(new SecureRequestCustomizer(false));
        HttpConnectionFactory plain = new HttpConnectionFactory(http);
        ConnectionFactory tls = new SslConnectionFactory(tls(settings.tls().get()), plain.getProtocol());
        return new ServerConnector(server, 0, 1, tls, plain);
    }

    /** Whether the keystore can be used: opened by its password, with a key in it. */
    static void check(HttpSettings.Tls settings) throws ConsoleException {
        SslContextFactory.Server tls = tls(settings);
        try {
            tls.start();
            tls.stop();
        } catch (Exception e) {
            throw new ConsoleException(
                    "http.keystore " + settings.keystore() + " cannot be used: " + e.getMessage()
                            + ". Check http.keystore and http.keystore-password-file",
                    e);
        }
    }

    private static SslContextFactory.Server tls(HttpSettings.Tls settings) throws ConsoleException {
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setSniRequired(false);
        try {
            tls.setKeyStorePassword(Files.readString(settings.passwordFile()).strip());
        } catch (IOException e) {
            throw new ConsoleException("http.keystore-password-file cannot be read: " + e, e);
        }
        if (!Files.isReadable(settings.keystore())) {
            throw new ConsoleException("http.keystore " + settings.keystore() + " cannot be read");
        }
        tls.setKeyStorePath(settings.keystore().toString());
        return tls;
    }

    private static ServerSocketChannel bind(HttpSettings settings) throws ConsoleException {
        try {
            try {
                return listen(settings, settings.port());
            } catch (BindException e) {
                if (settings.portAskedFor() || settings.port() == 0) {
                    throw e;
                }
                log.info("Port {} is taken; the console takes a free one (http.port sets it)", settings.port());
                return listen(settings, 0);
            }
        } catch (UnknownHostException e) {
            throw new ConsoleException("http.bind " + settings.bind() + " is no address of this machine", e);
        } catch (IOException e) {
            throw new ConsoleException(
                    "The console cannot listen at " + settings.bind() + ":" + settings.port() + ": " + e.getMessage()
                            + ". Another process may have the port: set another http.port, 0 for any, or"
                            + " http.enabled=false",
                    e);
        }
    }

    private static ServerSocketChannel listen(HttpSettings settings, int port) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        boolean bound = false;
        try {
            channel.bind(new InetSocketAddress(InetAddress.getByName(settings.bind()), port));
            bound = true;
            return channel;
        } finally {
            if (!bound) {
                channel.close();
            }
        }
    }

    private static String address(HttpSettings settings, InetSocketAddress bound) throws UnknownHostException {
        InetAddress at = bound.getAddress();
        String host = at.isAnyLocalAddress() ? InetAddress.getLocalHost().getHostName() : at.getHostAddress();
        return (settings.tls().isPresent() ? "https://" : "http://")
                + (host.contains(":") ? "[" + host + "]" : host)
                + ":" + bound.getPort();
    }

    /** Where others find it, such as {@code http://127.0.0.1:8080}. */
    String address() {
        return address;
    }

    int port() {
        return connector.getLocalPort();
    }

    @Override
    public void close() {
        slow.close();
        stop(server, null);
    }

    private static void stop(Server server, @Nullable ServerSocketChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
            server.stop();
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            log.warn("The console's server did not stop in order; the service goes on to stop", e);
        }
    }
}
