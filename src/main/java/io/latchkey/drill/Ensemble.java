package io.latchkey.drill;

import io.latchkey.lifecycle.Threads;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Three ZooKeeper servers, each a process. A server knows the others by the drill's wires, so that it can be cut off. (One
 * with a low number is called back for elections on its own address, past the wire; it cannot follow or lead through
 * that.)
 *
 * <p>Used by the drill's one thread, but for {@link #close}.
 */
final class Ensemble implements AutoCloseable {
    static final int SERVERS = 3;
    static final Duration TICK = Duration.ofMillis(500);

    private static final Logger log = LoggerFactory.getLogger(Ensemble.class);
    private static final int ASK_MILLIS = 1000;
    /** A server that leads listens for the others after they may have heard of it. */
    private static final Duration LISTENING = Duration.ofSeconds(3);

    private final DrillFiles files;
    private final Map<Integer, Ports> ports = new TreeMap<>();
    /** By "from-to": the wires on which one server reaches another, for quorum and for election. */
    private final Map<String, List<Wire>> peers = new TreeMap<>();

    private final @Nullable OsProcess[] processes = new OsProcess[SERVERS + 1];
    private boolean closed;

    private record Ports(int client, int quorum, int election) {}

    Ensemble(DrillFiles files, Threads threads) throws DrillException {
        this.files = files;
        try {
            List<Integer> free = freePorts(3 * SERVERS);
            for (int id = 1; id <= SERVERS; id++) {
                ports.put(id, new Ports(free.get(3 * id - 3), free.get(3 * id - 2), free.get(3 * id - 1)));
            }
            for (int from = 1; from <= SERVERS; from++) {
                for (int to = 1; to <= SERVERS; to++) {
                    if (from != to) {
                        Ports server = port(to);
                        peers.put(
                                from + "-" + to,
                                List.of(
                                        new Wire(threads, from + "-" + to, server.quorum(), LISTENING),
                                        new Wire(
                                                threads, from + "-" + to + "-election", server.election(), LISTENING)));
                    }
                }
            }
        } catch (IOException e) {
            throw new DrillException("cannot open the ports for the drill's servers: " + e, e);
        }
        for (int id = 1; id <= SERVERS; id++) {
            files.write(files.path("zk" + id, "myid"), id + "\n");
            files.write(files.path("zk" + id + ".cfg"), configuration(id));
        }
    }

    private String configuration(int id) {
        List<String> lines = new ArrayList<>(List.of(
                "tickTime=" + TICK.toMillis(),
                "initLimit=20",
                "syncLimit=" + Limits.SYNC_LIMIT,
                "dataDir=" + files.path("zk" + id),
                "clientPort=" + clientPort(id),
                "clientPortAddress=127.0.0.1",
                "maxClientCnxns=0",
                "admin.enableServer=false",
                "4lw.commands.whitelist=srvr,ruok"));
        for (int other = 1; other <= SERVERS; other++) {
            int quorum =
                    other == id ? port(id).quorum() : wires(id, other).get(0).port();
            int election =
                    other == id ? port(id).election() : wires(id, other).get(1).port();
            lines.add("server." + other + "=127.0.0.1:" + quorum + ":" + election);
        }
        return String.join("\n", lines) + "\n";
    }

    private Ports port(int id) {
        return java.util.Objects.requireNonNull(ports.get(id));
    }

    private List<Wire> wires(int from, int to) {
        return java.util.Objects.requireNonNull(peers.get(from + "-" + to));
    }

    int clientPort(int id) {
        return port(id).client();
    }

    /** Every server, past the instances' wires. */
    String connectString() {
        return String.join(
                ",", ports.values().stream().map(p -> "127.0.0.1:" + p.client()).toList());
    }

    void startAll() throws DrillException {
        for (int id = 1; id <= SERVERS; id++) {
            start(id);
        }
    }

    /** Starts a server that does not run. */
    synchronized void start(int id) throws DrillException {
        if (closed || isAlive(id)) {
            return;
        }
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Dzookeeper.preAllocSize=64",
                "-Dlogback.configurationFile=latchkey-drill-logback.xml",
                EnsembleServer.class.getName(),
                files.path("zk" + id + ".cfg").toString());
        processes[id] = OsProcess.start("zk" + id, command, Map.of(), files.path("zk" + id + ".out"));
    }

    void kill(int id) throws InterruptedException {
        OsProcess process = process(id);
        if (process != null) {
            process.kill();
        }
    }

    private synchronized @Nullable OsProcess process(int id) {
        return processes[id];
    }

    boolean isAlive(int id) {
        OsProcess process = process(id);
        return process != null && process.isAlive();
    }

    /** Whether a server does not run. */
    boolean hasEnded() {
        return !ports.keySet().stream().allMatch(this::isAlive);
    }

    /** Lets none of its files grow beyond the size that the transaction log it writes has now. */
    void fillDisk(int id) throws DrillException, InterruptedException {
        OsProcess process = process(id);
        if (process == null) {
            throw new DrillException("server " + id + " does not run");
        }
        try (Stream<Path> all = Files.walk(files.path("zk" + id))) {
            long size = all.filter(path -> path.getFileName().toString().startsWith("log."))
                    .map(Path::toFile)
                    .max(Comparator.comparingLong(File::lastModified))
                    .map(File::length)
                    .orElse(0L);
            process.limitFileSize(Math.max(1, size));
        } catch (IOException e) {
            throw new DrillException("cannot read the files of server " + id + ": " + e, e);
        }
    }

    /** Breaks all wires between a server and the others. */
    void cutOff(int id) {
        forPeers(id, Wire::hold);
    }

    /** Mends them. */
    void mend(int id) {
        forPeers(id, Wire::mend);
    }

    private void forPeers(int id, java.util.function.Consumer<Wire> action) {
        for (int other = 1; other <= SERVERS; other++) {
            if (other != id) {
                wires(id, other).forEach(action);
                wires(other, id).forEach(action);
            }
        }
    }

    /** The server that leads the ensemble, as the servers say. */
    Optional<Integer> leader() {
        return ports.keySet().stream().filter(id -> mode(id).equals("leader")).findFirst();
    }

    /** Whether a server runs, and has a quorum. */
    boolean serves(int id) {
        return !mode(id).isEmpty();
    }

    /** How many servers serve. */
    long serving() {
        return ports.keySet().stream().filter(this::serves).count();
    }

    /** "leader", "follower", or empty if it does not serve. */
    private String mode(int id) {
        if (!isAlive(id)) {
            return "";
        }
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), clientPort(id)), ASK_MILLIS);
            socket.setSoTimeout(ASK_MILLIS);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return answer.lines()
                    .filter(line -> line.startsWith("Mode: "))
                    .map(line -> line.substring("Mode: ".length()))
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            log.debug("Server {} does not answer", id, e);
            return "";
        }
    }

    private static List<Integer> freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        for (OsProcess process : processes) {
            if (process != null) {
                process.killNow();
            }
        }
        peers.values().forEach(wires -> wires.forEach(Wire::close));
    }
}
