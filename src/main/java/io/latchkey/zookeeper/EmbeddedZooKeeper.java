package io.latchkey.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real ZooKeeper server inside this process, on loopback, so that one command runs the service with nothing installed.
 * For evaluation: the server goes when its process goes.
 *
 * <p>One server to a data directory: whoever holds the lock file there runs it, other processes join it by the port file.
 * The operating system frees the lock when the holder dies, so what a killed process leaves behind is harmless.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EmbeddedZooKeeper.class);
    private static final String LOCK = "zookeeper.lock";
    private static final String PORT = "zookeeper.port";
    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration START = Duration.ofSeconds(30);

    private final Path dataDir;
    private final int port;
    private final @Nullable Owned owned;

    /** What the process that runs the server holds. */
    private record Owned(ZooKeeperServerEmbedded server, FileChannel lockFile) {}

    private EmbeddedZooKeeper(Path dataDir, int port, @Nullable Owned owned) {
        this.dataDir = dataDir;
        this.port = port;
        this.owned = owned;
    }

    /** {@link #startOrJoin(Path, Duration)} with the usual tick: sessions end within half a second of their timeout. */
    public static EmbeddedZooKeeper startOrJoin(Path dataDir) throws SetupException, InterruptedException {
        return startOrJoin(dataDir, TICK);
    }

    /**
     * Starts the server of this data directory, on the port it had last if that is free; or joins it where another process,
     * or another part of this one, runs it already. Returns when it takes connections.
     *
     * @param tick the server's unit of time; sessions may be as short as two of them
     * @throws SetupException if the directory cannot be written to or the server does not start
     */
    public static EmbeddedZooKeeper startOrJoin(Path dataDir, Duration tick)
            throws SetupException, InterruptedException {
        long deadline = System.nanoTime() + START.toNanos();
        FileChannel lockFile = openLockFile(dataDir);
        boolean keep = false;
        try {
            while (true) {
                if (tryLock(lockFile)) {
                    keep = true;
                    return start(dataDir, tick, lockFile);
                }
                OptionalInt port = readPort(dataDir);
                if (port.isPresent() && answers(port.getAsInt())) {
                    log.info(
                            "Joined the ZooKeeper server on port {} that another process runs in {}; it goes when that"
                                    + " process goes",
                            port.getAsInt(),
                            dataDir);
                    return new EmbeddedZooKeeper(dataDir, port.getAsInt(), null);
                }
                if (System.nanoTime() > deadline) {
                    throw new SetupException(
                            "Another process holds the embedded ZooKeeper's lock, but its server does not answer",
                            dataDir.resolve(LOCK).toString(),
                            "Stop that process, or use another data.dir");
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        } finally {
            if (!keep) {
                close(lockFile);
            }
        }
    }

    /** The connect string of the server that some process runs in this data directory, if one answers there now. */
    public static Optional<String> running(Path dataDir) {
        OptionalInt port = readPort(dataDir);
        return port.isPresent() && answers(port.getAsInt())
                ? Optional.of("127.0.0.1:" + port.getAsInt())
                : Optional.empty();
    }

    /** Its port on loopback. */
    public int port() {
        return port;
    }

    private static FileChannel openLockFile(Path dataDir) throws SetupException {
        try {
            Files.createDirectories(dataDir);
            return FileChannel.open(
                    dataDir.resolve(LOCK),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.READ,
                    StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw notWritable(dataDir, e);
        }
    }

    private static SetupException notWritable(Path dataDir, IOException cause) {
        return new SetupException(
                "The data directory cannot be written to",
                "data.dir " + dataDir.toAbsolutePath(),
                "Make it a directory that this user may write to, or set data.dir to another",
                cause);
    }

    private static boolean tryLock(FileChannel lockFile) throws SetupException {
        try {
            FileLock lock = lockFile.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            log.debug("The lock is held by this process", e);
            return false;
        } catch (IOException e) {
            throw new SetupException(
                    "The file system of the data directory has no working locks",
                    LOCK,
                    "Set data.dir to a directory on a local disk",
                    e);
        }
    }

    private static EmbeddedZooKeeper start(Path dataDir, Duration tick, FileChannel lockFile) throws SetupException {
        boolean started = false;
        try {
            int port = choosePort(readPort(dataDir));
            // Until the server runs there must be no port to join it by.
            Files.deleteIfExists(dataDir.resolve(PORT));
            ZooKeeperServerEmbedded server = ZooKeeperServerEmbedded.builder()
                    .baseDir(dataDir)
                    .configuration(configuration(dataDir, port, tick))
                    // Its other choice ends the whole process from the inside.
                    .exitHandler(ExitHandler.LOG_ONLY)
                    .build();
            deleteGeneratedConfigurations(dataDir);
            server.start(START.toMillis());
            writePort(dataDir, port);
            started = true;
            log.info("Started an embedded ZooKeeper server on 127.0.0.1:{}, data in {}", port, dataDir);
            return new EmbeddedZooKeeper(dataDir, port, new Owned(server, lockFile));
        } catch (IOException e) {
            throw notWritable(dataDir, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SetupException("Interrupted while the embedded ZooKeeper started", dataDir.toString(), "", e);
        } catch (Exception e) {
            throw new SetupException(
                    "The embedded ZooKeeper server did not start",
                    "data.dir " + dataDir.toAbsolutePath(),
                    "Its own log lines say why; if its data are damaged, move the directory away",
                    e);
        } finally {
            if (!started) {
                close(lockFile);
            }
        }
    }

    private static Properties configuration(Path dataDir, int port, Duration tick) {
        Properties all = new Properties();
        all.setProperty("dataDir", dataDir.resolve("zookeeper").toAbsolutePath().toString());
        all.setProperty("clientPortAddress", "127.0.0.1");
        all.setProperty("clientPort", Integer.toString(port));
        all.setProperty("tickTime", Long.toString(tick.toMillis()));
        all.setProperty("minSessionTimeout", Long.toString(2 * tick.toMillis()));
        all.setProperty(
                "maxSessionTimeout", Long.toString(Duration.ofMinutes(10).toMillis()));
        all.setProperty("maxClientCnxns", "200");
        all.setProperty("admin.enableServer", "false");
        all.setProperty("4lw.commands.whitelist", "");
        all.setProperty("forceSync", "yes");
        // Kilobytes a log file grows by: the default of 64 MB is much for a server of this size.
        all.setProperty("preAllocSize", "4096");
        all.setProperty("autopurge.snapRetainCount", "3");
        all.setProperty("autopurge.purgeInterval", "1");
        return all;
    }

    /** The builder writes its configuration to a new file at every start, and has read it by the time it returns. */
    private static void deleteGeneratedConfigurations(Path dataDir) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(dataDir, "zookeeper.configuration*.properties")) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static int choosePort(OptionalInt last) throws IOException {
        if (last.isPresent()) {
            try (ServerSocket probe = new ServerSocket()) {
                // As the server itself does: connections of the last run may linger in the kernel.
                probe.setReuseAddress(true);
                probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), last.getAsInt()));
                return last.getAsInt();
            } catch (IOException e) {
                log.info("Port {}, which the embedded ZooKeeper had last, is taken; using another", last.getAsInt());
                log.debug("Port taken", e);
            }
        }
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static OptionalInt readPort(Path dataDir) {
        try {
            int port = Integer.parseInt(Files.readString(dataDir.resolve(PORT)).strip());
            return port > 0 && port <= 65_535 ? OptionalInt.of(port) : OptionalInt.empty();
        } catch (IOException | NumberFormatException e) {
            log.debug("No port file in {}", dataDir, e);
            return OptionalInt.empty();
        }
    }

    private static void writePort(Path dataDir, int port) throws IOException {
        Path written = Files.writeString(dataDir.resolve(PORT + ".new"), port + "\n");
        Files.move(written, dataDir.resolve(PORT), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            log.debug("Nothing answers on port {}", port, e);
            return false;
        }
    }

    private static void close(FileChannel lockFile) {
        try {
            lockFile.close();
        } catch (IOException e) {
            throw new UncheckedIOException("Could not release the embedded ZooKeeper's lock", e);
        }
    }

    /** Such as {@code 127.0.0.1:40123}. */
    public String connectString() {
        return "127.0.0.1:" + port;
    }

    /** Whether the server runs in this process by this object; else it was joined. */
    public boolean isOwner() {
        return owned != null;
    }

    /** Whether a joined server's process has gone, and the server with it; it does not come back by itself. */
    public boolean ownerGone() {
        return owned == null && !answers(port);
    }

    /** Stops the server if it is ours, after which others lose it too. */
    @Override
    public void close() {
        if (owned != null && owned.lockFile().isOpen()) {
            log.info("Stopping the embedded ZooKeeper server of {}", dataDir);
            try {
                owned.server().close();
            } finally {
                close(owned.lockFile());
            }
        }
    }
}
