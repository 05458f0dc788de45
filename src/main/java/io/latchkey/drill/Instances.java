package io.latchkey.drill;

import io.latchkey.lifecycle.Threads;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The instances: processes of this distribution, started by its launcher, each with a configuration directory of its own
 * and a wire of its own to every server. Used by the drill's one thread, but for {@link #close} and {@link #lives}.
 */
final class Instances implements AutoCloseable {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(25);

    private final DrillFiles files;
    private final String launcher;
    private final Limits limits;
    private final Map<String, Map<Integer, Wire>> wires = new TreeMap<>();
    private final Map<String, OsProcess> running = new LinkedHashMap<>();
    private final Map<String, Integer> versions = new TreeMap<>();
    private final List<Sightings.ProcessLife> ended = new ArrayList<>();
    private boolean closed;

    Instances(DrillFiles files, String launcher, Limits limits, Ensemble ensemble, int count, Threads threads)
            throws DrillException {
        this.files = files;
        this.launcher = launcher;
        this.limits = limits;
        for (int i = 0; i < count; i++) {
            String id = Character.toString('a' + i);
            Map<Integer, Wire> own = new TreeMap<>();
            try {
                for (int server = 1; server <= Ensemble.SERVERS; server++) {
                    own.put(server, new Wire(threads, id + "-" + server, ensemble.clientPort(server), Duration.ZERO));
                }
            } catch (IOException e) {
                throw new DrillException("cannot open the ports for instance " + id + ": " + e, e);
            }
            wires.put(id, own);
            configure(id, 1);
        }
    }

    /** Writes a version of the configuration for one instance; it takes effect when that starts. */
    void configure(String id, int version) throws DrillException {
        List<String> hosts =
                wiresOf(id).stream().map(wire -> "127.0.0.1:" + wire.port()).toList();
        files.write(
                files.path("conf-" + id, "latchkey.properties"),
                String.join(
                        "\n",
                        "instance.id = " + id,
                        "zookeeper.connect = " + String.join(",", hosts),
                        "zookeeper.session-timeout = " + limits.session().toMillis() + "ms",
                        "zookeeper.connection-timeout = 1500ms",
                        // It would name the servers past the wires.
                        "zookeeper.ensemble-tracker = false",
                        "jobs.files = jobs.xml",
                        "scheduler.threads = 20",
                        "scheduler.misfire-threshold = "
                                + limits.misfireThreshold().toMillis() + "ms",
                        "scheduler.max-attempts = " + limits.maxAttempts(),
                        "scheduler.history = 100",
                        "shutdown.drain-timeout = 6s",
                        "data.dir = " + files.path("data-" + id),
                        "log.dir = " + files.path("logs-" + id),
                        ""));
        files.write(files.path("conf-" + id, "jobs.xml"), DrillJobs.xml(version, files.runLog(), files.killerMarker()));
        versions.put(id, version);
    }

    /** Its configuration directory. */
    String confDir(String id) {
        return files.path("conf-" + id).toString();
    }

    int version(String id) {
        return Objects.requireNonNull(versions.get(id));
    }

    List<String> ids() {
        return List.copyOf(wires.keySet());
    }

    Collection<Wire> wiresOf(String id) {
        return Objects.requireNonNull(wires.get(id)).values();
    }

    Wire wire(String id, int server) {
        return Objects.requireNonNull(Objects.requireNonNull(wires.get(id)).get(server));
    }

    /** The server that the instance is connected to. */
    Optional<Integer> serverOf(String id) {
        return Objects.requireNonNull(wires.get(id)).entrySet().stream()
                .filter(entry -> entry.getValue().inUse())
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Its ZooKeeper session, as the wires heard it. */
    Optional<SessionSniffer.Credentials> sessionOf(String id) {
        return wiresOf(id).stream()
                .flatMap(wire -> wire.session().stream())
                .max(Comparator.comparing(Wire.Heard::at))
                .map(Wire.Heard::session);
    }

    void startAll() throws DrillException {
        for (String id : ids()) {
            start(id);
        }
    }

    /** Starts an instance that does not run. */
    synchronized void start(String id) throws DrillException {
        if (closed || isAlive(id)) {
            return;
        }
        noteEnd(id);
        running.put(
                id,
                OsProcess.start(
                        id,
                        List.of(launcher, "run", "--stop-with-parent", "--conf", confDir(id)),
                        Map.of(
                                "LATCHKEY_HEAP",
                                "128m",
                                "LATCHKEY_OPTS",
                                "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData"),
                        files.path(id + ".out")));
    }

    /** Runs a command of the distribution to its end; its output goes to a file of the drill's. */
    int command(Duration patience, String... arguments) throws DrillException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(launcher));
        command.addAll(List.of(arguments));
        OsProcess process = OsProcess.start("command", command, Map.of(), files.path("commands.out"));
        if (!process.awaitEnd(patience)) {
            process.kill();
            throw new DrillException(
                    "bin/latchkey " + String.join(" ", arguments) + " did not end in " + patience.toSeconds() + " s");
        }
        return process.exitCode();
    }

    private synchronized @Nullable OsProcess process(String id) {
        return running.get(id);
    }

    private OsProcess required(String id) throws DrillException {
        OsProcess process = process(id);
        if (process == null) {
            throw new DrillException("instance " + id + " was never started");
        }
        return process;
    }

    boolean isAlive(String id) {
        OsProcess process = process(id);
        return process != null && process.isAlive();
    }

    void kill(String id) throws DrillException, InterruptedException {
        required(id).kill();
        noteEnd(id);
    }

    void signal(String id, String signal) throws DrillException, InterruptedException {
        required(id).signal(signal);
    }

    /** Waits for the end of one that was told to stop; false if that did not come, and it was killed. */
    boolean awaitStop(String id) throws DrillException, InterruptedException {
        boolean stopped = required(id).awaitEnd(STOP_PATIENCE);
        if (!stopped) {
            required(id).kill();
        }
        noteEnd(id);
        return stopped;
    }

    /** When the process it has now, or had last, was started. */
    Instant startedAt(String id) {
        OsProcess process = process(id);
        return process == null ? Instant.MIN : process.started();
    }

    /** How one that has ended ended. */
    int exitCode(String id) throws DrillException {
        return required(id).exitCode();
    }

    /** Notes that a process has ended, once; another may be started in its place then. */
    synchronized void noteEnd(String id) {
        OsProcess process = running.get(id);
        if (process != null && !process.isAlive() && ended.stream().noneMatch(life -> life.pid() == process.pid())) {
            ended.add(new Sightings.ProcessLife(id, process.pid(), process.started(), process.ended()));
        }
    }

    /** The processes there were and are. */
    synchronized List<Sightings.ProcessLife> lives() {
        List<Sightings.ProcessLife> all = new ArrayList<>(ended);
        running.forEach((id, process) -> {
            if (ended.stream().noneMatch(life -> life.pid() == process.pid())) {
                all.add(new Sightings.ProcessLife(id, process.pid(), process.started(), process.ended()));
            }
        });
        return all;
    }

    @Override
    public synchronized void close() {
        closed = true;
        running.values().forEach(OsProcess::killNow);
        wires.values().forEach(own -> own.values().forEach(Wire::close));
    }
}
