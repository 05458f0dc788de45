package io.latchkey.cli;

import io.latchkey.conf.ConfException;
import io.latchkey.conf.JobsSettings;
import io.latchkey.conf.Settings;
import io.latchkey.conf.SettingsLoader;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.lifecycle.Faults;
import io.latchkey.lifecycle.Threads;
import io.latchkey.view.ClusterView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A ZooKeeper server and three instances, each a process of its own, with a guide to what happens. An instance that the
 * user kills is started again after a while, so that there is always one more to kill.
 */
final class Demo implements AutoCloseable {
    private static final List<String> IDS = List.of("a", "b", "c");
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(4);
    /** One more tick than the timeout: when ZooKeeper has surely ended the session of one that is gone. */
    private static final Duration SESSION_END = SESSION_TIMEOUT.plusSeconds(1);

    private static final String SESSION_ENDS =
            "ZooKeeper ends its session within " + SESSION_END.toSeconds() + " s, then the next in the latch leads";
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration RESTART_AFTER = Duration.ofSeconds(15);
    private static final Duration SERVER_PATIENCE = Duration.ofSeconds(30);
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(40);

    private final Threads threads = new Threads(new Faults());
    private final DemoFiles files;
    private final JobsSettings jobs;
    private final DemoOutput output;
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final Thread hook = threads.factory("demo-stop").newThread(this::stopByHook);
    private final Map<String, ChildProcess> instances = new LinkedHashMap<>();
    private final Map<String, Long> restartAt = new LinkedHashMap<>();
    private @Nullable ChildProcess server;
    private long termShown;
    /** In the future at first: the instances must come up before one can lead. */
    private long ledNanos = System.nanoTime() + RESTART_AFTER.toNanos();

    private boolean vacancySaid;

    Demo(DemoFiles files, JobsSettings jobs, DemoOutput output) {
        this.files = files;
        this.jobs = jobs;
        this.output = output;
    }

    /** Runs until Ctrl-C, which ends the process, or until the ZooKeeper server is gone. */
    ExitCode run() throws CliException, ConfException, InterruptedException {
        Runtime.getRuntime().addShutdownHook(hook);
        int port = startServer();
        files.writeSettings(List.of(
                "zookeeper.connect = 127.0.0.1:" + port,
                "zookeeper.session-timeout = " + SESSION_TIMEOUT.toSeconds() + "s",
                "zookeeper.connection-timeout = 2s",
                "jobs.classpath = " + String.join(",", jobs.classpath()),
                "data.dir = " + files.directory().resolve("data"),
                "log.dir = " + files.directory().resolve("logs")));
        Settings settings = SettingsLoader.load(files.confDir(), Map.of(), Map.of());
        IDS.forEach(id -> restartAt.put(id, System.nanoTime()));
        output.say("ZooKeeper runs on 127.0.0.1:" + port + ". Starting instances " + String.join(", ", IDS) + ".");
        output.say("In another terminal these look at it:");
        output.say("    " + launcher() + " status --conf " + files.confDir());
        output.say("    " + launcher() + " zkcli --conf " + files.confDir() + " ls /latch");
        try (EnsembleConnection connection = EnsembleConnection.open(settings, "", EnsembleConnection::ignore)) {
            watch(() -> ClusterLook.on(connection, settings));
        }
        output.say("The ZooKeeper server is gone, so the demo ends.");
        return ExitCode.NO;
    }

    /** A look at the cluster. */
    private interface Look {
        ClusterView now() throws CliException;
    }

    private void watch(Look look) throws CliException, InterruptedException {
        while (isServerUp()) {
            startWhatIsDue();
            noticeDeaths();
            showLeader(look);
            if (interrupted.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                // The hook ends everything, the process last.
                new CountDownLatch(1).await();
            }
        }
    }

    private int startServer() throws CliException, InterruptedException {
        CompletableFuture<Integer> port = new CompletableFuture<>();
        List<String> arguments = List.of(
                "zookeeper-server",
                files.zookeeperDir().toString(),
                "--delete-with-parent",
                files.directory().toString());
        synchronized (this) {
            server = ChildProcess.start("zk", arguments, threads, line -> {
                if (line.startsWith(ZooKeeperServerCommand.READY)) {
                    port.complete(Integer.valueOf(line.substring(ZooKeeperServerCommand.READY.length())));
                } else {
                    output.line("zk", line);
                }
            });
        }
        try {
            return port.get(SERVER_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new CliException(ExitCode.NO, "the demo's ZooKeeper server did not start; see the lines above", e);
        }
    }

    private synchronized boolean isServerUp() {
        return server != null && server.isAlive();
    }

    private synchronized void startWhatIsDue() throws CliException {
        if (interrupted.getCount() == 0) {
            return;
        }
        for (Map.Entry<String, Long> due : List.copyOf(restartAt.entrySet())) {
            String id = due.getKey();
            if (System.nanoTime() - due.getValue() < 0) {
                continue;
            }
            restartAt.remove(id);
            ChildProcess instance = ChildProcess.start(
                    id,
                    List.of(
                            "run",
                            "--stop-with-parent",
                            "--conf",
                            files.confDir().toString(),
                            "-Dinstance.id=" + id),
                    threads,
                    line -> output.line(id, line));
            instances.put(id, instance);
            output.say("Started instance " + id + ", pid " + instance.pid() + ".");
        }
    }

    private synchronized void noticeDeaths() {
        if (interrupted.getCount() == 0) {
            return;
        }
        for (ChildProcess instance : List.copyOf(instances.values())) {
            if (instance.isAlive()) {
                continue;
            }
            instances.remove(instance.name());
            restartAt.put(instance.name(), System.nanoTime() + RESTART_AFTER.toNanos());
            int code = instance.exitCode();
            output.say("Instance " + instance.name() + " is gone (exit code " + code + "). "
                    + (code == 0
                            ? "It handed over before it went: the next one leads already."
                            : "It could not say goodbye: " + SESSION_ENDS + ".")
                    + " It is started again in " + RESTART_AFTER.toSeconds() + " s, last in line.");
        }
    }

    private void showLeader(Look look) {
        ClusterView view;
        try {
            view = look.now();
        } catch (CliException e) {
            output.say("Cannot look: " + e.getMessage());
            return;
        }
        noticeVacancy(view);
        ClusterView.Leader leader = view.leader();
        if (leader == null || leader.term() == termShown) {
            return;
        }
        ClusterView.Instance instance = view.instance(leader.instance()).orElse(null);
        if (instance == null || instance.pid() == null) {
            return;
        }
        termShown = leader.term();
        output.say("Instance " + leader.instance() + " leads: term " + leader.term() + ", fencing token "
                + leader.token() + ". It alone runs the jobs. Now kill it, from another terminal:");
        output.say("    kill -9 " + instance.pid());
        output.say(SESSION_ENDS
                + ", with the next term and a higher token, and runs what came due meanwhile. A plain kill hands over"
                + " at once.");
    }

    /** The time without a leader is what the demo is about; only a long one is worth a line. */
    private void noticeVacancy(ClusterView view) {
        if (view.isLed()) {
            ledNanos = System.nanoTime();
            vacancySaid = false;
        } else if (!vacancySaid && System.nanoTime() - ledNanos > SESSION_END.toNanos()) {
            vacancySaid = true;
            output.say("Nobody leads for more than " + SESSION_END.toSeconds() + " s, and no job starts. "
                    + (instancesRun()
                            ? "The lines of the instances say what they wait for."
                            : "No instance runs: wait until one is started again."));
        }
    }

    private synchronized boolean instancesRun() {
        return instances.values().stream().anyMatch(ChildProcess::isAlive);
    }

    /** As one types it in the directory one is in. */
    private static String launcher() {
        Path home = Path.of(System.getProperty("latchkey.home", "."));
        return home.toAbsolutePath().normalize().equals(Path.of("").toAbsolutePath())
                ? "bin/latchkey"
                : System.getProperty("latchkey.launcher", "bin/latchkey");
    }

    private void stopByHook() {
        output.say("Ending all of it.");
        int code = ExitCode.OK.code();
        close();
        try {
            files.close();
        } catch (IOException e) {
            output.say("Cannot delete " + files.directory() + ": " + e);
            code = ExitCode.NO.code();
        }
        Runtime.getRuntime().halt(code);
    }

    /** Stops the instances, all at once, then the server they need to hand over. */
    @Override
    public void close() {
        interrupted.countDown();
        List<ChildProcess> running;
        ChildProcess zookeeper;
        synchronized (this) {
            running = new ArrayList<>(instances.values());
            zookeeper = server;
        }
        running.forEach(ChildProcess::terminate);
        running.forEach(instance -> instance.awaitEnd(STOP_PATIENCE));
        if (zookeeper != null) {
            zookeeper.terminate();
            zookeeper.awaitEnd(STOP_PATIENCE);
        }
        if (Thread.currentThread() != hook) {
            removeHook();
        }
    }

    private void removeHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            output.say("Already ending.");
        }
    }
}
