package io.latchkey.drill;

import io.latchkey.lifecycle.Closer;
import io.latchkey.lifecycle.Threads;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** All that a drill runs, and what faults are made with. Used by the drill's one thread, but for {@link #close}. */
final class Rig implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Duration SERVERS_UP = Duration.ofSeconds(60);
    /** Seen whole so often in a row, it is. */
    private static final int WHOLE = 2;

    private final Closer closer = new Closer();
    private final DrillFiles files;
    private final RunLogReader runLog;
    private final Ensemble ensemble;
    private final Instances instances;
    private final Observer observer;
    private final Pace pace;
    private final Limits limits;
    private final List<Violation> incidents = new ArrayList<>();
    private int version = 1;

    /** Makes the one who looks at the service. */
    @FunctionalInterface
    interface Eyes {
        Observer on(Ensemble ensemble, DrillFiles files, Threads threads) throws DrillException;
    }

    Rig(DrillFiles files, String launcher, Limits limits, int count, Eyes eyes, Threads threads) throws DrillException {
        this.files = files;
        this.runLog = new RunLogReader(files.runLog());
        this.limits = limits;
        boolean whole = false;
        try {
            closer.push("files", files);
            AuthorJar.write(files.path("jobs", "drill-jobs.jar"));
            ensemble = closer.push("servers", new Ensemble(files, threads));
            instances = closer.push("instances", new Instances(files, launcher, limits, ensemble, count, threads));
            ensemble.startAll();
            observer = closer.push("observer", eyes.on(ensemble, files, threads));
            observer.start();
            pace = closer.push("clock", new Pace(threads));
            whole = true;
        } finally {
            if (!whole) {
                closer.close();
            }
        }
    }

    Ensemble ensemble() {
        return ensemble;
    }

    Instances instances() {
        return instances;
    }

    Observer observer() {
        return observer;
    }

    Pace pace() {
        return pace;
    }

    DrillFiles files() {
        return files;
    }

    Limits limits() {
        return limits;
    }

    /** The version of the configuration that all instances have, or will when they have been started again. */
    int version() {
        return version;
    }

    void nextVersion() {
        version++;
    }

    List<RunLine> lines() throws DrillException {
        try {
            return runLog.read();
        } catch (IOException | IllegalArgumentException e) {
            throw new DrillException("the run log cannot be read: " + e.getMessage(), e);
        }
    }

    /** Something went wrong that no later look at the evidence would show. */
    void incident(String text) {
        incidents.add(new Violation(Violation.Kind.DRILL, Instant.now(), text));
    }

    List<Violation> incidents() {
        return List.copyOf(incidents);
    }

    /** Who leads now. */
    Sightings.LeaderSeen leader() throws DrillException {
        return observer.snapshot().leader().orElseThrow(() -> new DrillException("nobody leads"));
    }

    List<String> standbys() throws DrillException {
        String leader = leader().instance();
        return instances.ids().stream().filter(id -> !id.equals(leader)).toList();
    }

    void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }

    /** Waits until it is so; false if it did not become so in time, or in longer where the machine is slow. */
    boolean await(Duration patience, BooleanSupplier condition) throws InterruptedException {
        Instant began = Instant.now();
        while (!condition.getAsBoolean()) {
            if (isOver(patience, began)) {
                return false;
            }
            pause(LOOK);
        }
        return true;
    }

    private boolean isOver(Duration patience, Instant began) {
        Instant now = Instant.now();
        Duration waited = Duration.between(began, now);
        return waited.compareTo(patience) > 0
                && waited.compareTo(pace.measured().allow(patience, began, now)) > 0;
    }

    void start() throws DrillException, InterruptedException {
        await(SERVERS_UP, () -> ensemble.serving() == Ensemble.SERVERS || ensemble.hasEnded());
        if (ensemble.serving() < Ensemble.SERVERS) {
            throw new DrillException("the ZooKeeper servers do not come up; see " + files.path("zk1.out"));
        }
        instances.startAll();
    }

    /** Waits until the service is whole for the first time. */
    void awaitUp(Duration patience) throws DrillException, InterruptedException {
        Instant began = Instant.now();
        Optional<String> missing = settle(Duration.ofSeconds(1));
        while (missing.isPresent()) {
            for (String id : instances.ids()) {
                if (!instances.isAlive(id)) {
                    throw new DrillException("instance " + id + " ended at once, exit code " + instances.exitCode(id)
                            + "; run again with --keep DIR and read " + id + ".out there");
                }
            }
            if (isOver(patience, began)) {
                throw new DrillException("the service did not come up: " + missing.get()
                        + "; run again with --keep DIR and read the .out files there");
            }
            missing = settle(Duration.ofSeconds(1));
        }
    }

    /** Waits until the service is whole and has caught up; gives what is missing if that does not come. */
    Optional<String> settle(Duration patience) throws InterruptedException {
        Instant began = Instant.now();
        Instant last = began;
        Optional<String> missing = Optional.of("ZooKeeper cannot be read");
        int whole = 0;
        while (whole < WHOLE) {
            Snapshot seen = observer.snapshot();
            if (seen.at().isAfter(last)) {
                last = seen.at();
                missing = missing(seen);
                whole = missing.isEmpty() ? whole + 1 : 0;
            }
            if (missing.isPresent() && isOver(patience, began)) {
                return missing;
            }
            pause(LOOK);
        }
        return Optional.empty();
    }

    private Optional<String> missing(Snapshot seen) {
        Optional<String> missing = seen.unsettled(instances.ids(), DrillJobs.triggers(version));
        if (missing.isPresent()) {
            return missing;
        }
        if (ensemble.serving() < Ensemble.SERVERS) {
            return Optional.of("a ZooKeeper server is not up");
        }
        // The node of one that was killed stays for a while, and looks like that of the one started in its place.
        for (Sightings.Incarnation session : observer.incarnations()) {
            if (session.id().equals(seen.sessions().get(session.instance()))
                    && session.firstSeen().isBefore(instances.startedAt(session.instance()))) {
                return Optional.of("the earlier session of " + session.instance() + " is not over yet");
            }
        }
        long term = seen.leader().map(Sightings.LeaderSeen::term).orElse(0L);
        try {
            return lines().stream().anyMatch(line -> line.isStart() && line.term() == term)
                    ? Optional.empty()
                    : Optional.of("nothing was started yet in term " + term);
        } catch (DrillException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Restarts what has ended by itself, which is an incident; whether there was any. */
    boolean restartEnded() throws DrillException {
        int before = incidents.size();
        for (String id : instances.ids()) {
            if (!instances.isAlive(id)) {
                incident("instance " + id + " ended by itself, exit code " + instances.exitCode(id));
                instances.start(id);
            }
        }
        for (int server = 1; server <= Ensemble.SERVERS; server++) {
            if (!ensemble.isAlive(server)) {
                incident("ZooKeeper server " + server + " ended by itself");
                ensemble.start(server);
            }
        }
        return incidents.size() > before;
    }

    @Override
    public void close() {
        closer.close();
    }
}
