package io.latchkey.cli;

import io.latchkey.lifecycle.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;

/** A ZooKeeper server in this process, on a free port of loopback. */
final class DemoZooKeeper implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ZooKeeperServerEmbedded server;
    private final int port;

    private DemoZooKeeper(ZooKeeperServerEmbedded server, int port) {
        this.server = server;
        this.port = port;
    }

    // ZooKeeper's own interface declares Exception.
    @SuppressWarnings("PMD.AvoidCatchingGenericException")
    static DemoZooKeeper start(Path directory) throws CliException {
        try {
            Files.createDirectories(directory);
            int port = freePort();
            Properties properties = new Properties();
            properties.setProperty(
                    "clientPortAddress", InetAddress.getLoopbackAddress().getHostAddress());
            properties.setProperty("clientPort", Integer.toString(port));
            // Short ticks allow the demo's short sessions.
            properties.setProperty("tickTime", "500");
            properties.setProperty("maxClientCnxns", "0");
            properties.setProperty("admin.enableServer", "false");
            ZooKeeperServerEmbedded server = ZooKeeperServerEmbedded.builder()
                    .baseDir(directory)
                    .configuration(properties)
                    .exitHandler(ExitHandler.LOG_ONLY)
                    .build();
            server.start(PATIENCE.toMillis());
            return new DemoZooKeeper(server, port);
        } catch (Exception e) {
            throw new CliException(ExitCode.NO, "the ZooKeeper server does not start in " + directory + ": " + e, e);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        server.close();
    }
}
