package io.latchkey;

import io.latchkey.cli.CliException;
import io.latchkey.cli.InstanceStarter;
import io.latchkey.cli.Version;
import io.latchkey.conf.ConfException;
import io.latchkey.conf.ConnectString;
import io.latchkey.conf.Settings;
import io.latchkey.conf.SettingsSource;
import io.latchkey.conf.ZooKeeperSettings;
import io.latchkey.console.Console;
import io.latchkey.console.ConsoleException;
import io.latchkey.console.Self;
import io.latchkey.console.Sources;
import io.latchkey.election.DuplicateInstanceException;
import io.latchkey.election.ElectionSettings;
import io.latchkey.election.Health;
import io.latchkey.election.InstanceInfo;
import io.latchkey.election.Leadership;
import io.latchkey.election.Role;
import io.latchkey.election.Time;
import io.latchkey.jobs.ConfFiles;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.jobs.JobsLoader;
import io.latchkey.ledger.LeadingConf;
import io.latchkey.ledger.LedgerSettings;
import io.latchkey.ledger.ReloadCalls;
import io.latchkey.ledger.ZooKeeperFireLedger;
import io.latchkey.lifecycle.Closer;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.lifecycle.Faults;
import io.latchkey.lifecycle.Threads;
import io.latchkey.metrics.Metrics;
import io.latchkey.reload.ConfDrift;
import io.latchkey.reload.ConfReload;
import io.latchkey.reload.Reloading;
import io.latchkey.scheduler.TermScheduler;
import io.latchkey.zookeeper.EmbeddedZooKeeper;
import io.latchkey.zookeeper.NotConnectedException;
import io.latchkey.zookeeper.SetupException;
import io.latchkey.zookeeper.UnknownHosts;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.quartz.SchedulerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One instance, wired: this is the only place that knows which parts there are. What is started is pushed on a stack and
 * stopped in reverse, so that the session outlives the draining of running jobs, and the embedded server the session.
 *
 * <p>Thread-safe; {@link #close} blocks for the handover and the drain.
 */
public final class Application implements InstanceStarter.Instance {
    private static final Logger log = LoggerFactory.getLogger(Application.class);
    private static final Duration FAIL_FAST = Duration.ofSeconds(10);
    private static final Duration WAIT_STEP = Duration.ofSeconds(30);
    private static final Duration STOP_EXECUTOR = Duration.ofSeconds(5);

    private final Closer closer = new Closer();
    private final Threads threads;
    private final Time time;
    private final AtomicReference<Leadership> leadership = new AtomicReference<>();
    private final AtomicReference<TermScheduler> running = new AtomicReference<>();

    private Application(Threads threads, Time time) {
        this.threads = threads;
        this.time = time;
    }

    /**
     * Starts an instance and returns once it has joined: published, and a candidate.
     *
     * @param source where the settings were read from, to be read again on a reload
     * @param failFast give up where ZooKeeper cannot be reached, instead of waiting for it
     * @throws ConfException if the job files or {@code quartz.properties} cannot be used; nothing was joined then
     * @throws CliException for any other reason known; carries the exit code
     * @throws InterruptedException if interrupted while waiting; nothing is left running then
     */
    public static Application start(Settings settings, SettingsSource source, boolean failFast)
            throws ConfException, CliException, InterruptedException {
        return start(settings, source, failFast, Time.system());
    }

    /** The same on other clocks. */
    static Application start(Settings settings, SettingsSource source, boolean failFast, Time time)
            throws ConfException, CliException, InterruptedException {
        Application application = new Application(new Threads(new Faults()), time);
        boolean started = false;
        try {
            application.wire(settings, source, failFast);
            started = true;
            return application;
        } catch (SetupException e) {
            throw new CliException(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        } finally {
            if (!started) {
                application.close();
            }
        }
    }

    private void wire(Settings settings, SettingsSource source, boolean failFast)
            throws ConfException, CliException, SetupException, InterruptedException {
        String files = ConfFiles.digest(settings.jobs(), settings.paths().confDir());
        JobCatalog catalog = loadJobs(settings);
        closer.push("author jars", catalog::release);
        Optional<EmbeddedZooKeeper> server = embedded(settings);
        ZooKeeperSettings zookeeper = server.isEmpty()
                ? settings.zookeeper()
                : settings.zookeeper().at(ConnectString.parse(server.get().connectString()));
        ZooKeeperClient client = ZooKeeperClient.start(zookeeper);
        closer.push("ZooKeeper client", client);
        server.ifPresent(joined -> sayWhenItsOwnerGoes(joined, client));
        // Without a console nobody could ask for them.
        Optional<Metrics> metrics = settings.http().enabled()
                ? Optional.of(closer.push("metrics", new Metrics(settings.instanceId(), Version.current(), time)))
                : Optional.empty();
        metrics.ifPresent(all -> all.watch(client));
        Optional<String> console = console(settings, zookeeper, client, catalog, metrics);
        connect(client, zookeeper, failFast);

        ScheduledExecutorService writer = scheduled("ledger");
        ScheduledExecutorService background = scheduled("ledger-background");
        ZooKeeperFireLedger ledger = new ZooKeeperFireLedger(
                client.znodes(),
                client::session,
                new LedgerSettings(
                        settings.scheduler().historyPerJob(),
                        settings.scheduler().runningLimit()),
                time.clock(),
                writer,
                background);
        closer.push("ledger", ledger);
        metrics.ifPresent(all -> all.watch(ledger));
        TermScheduler scheduler = new TermScheduler(
                ledger,
                catalog,
                new TermScheduler.Config(settings.scheduler(), settings.quartz()),
                threads,
                time.clock(),
                this::resign);
        running.set(scheduler);
        metrics.ifPresent(all -> all.watch(scheduler));
        InstanceInfo info = info(settings, catalog, console);
        ConfDrift drift = new ConfDrift(client.znodes(), client::session);
        metrics.ifPresent(all -> all.watchDrift(drift::differing));
        Reloading reloading =
                reloading(source, new ConfReload.Start(settings, catalog, files), client, scheduler, drift);
        Leadership elected = new Leadership(
                client,
                client.znodes(),
                () -> reloading.described(info),
                scheduler,
                threads,
                ElectionSettings.DEFAULTS,
                time);
        leadership.set(elected);
        metrics.ifPresent(all -> all.watch(elected, client, scheduled("metrics")));
        closer.push("leadership", () -> elected.close(settings.shutdown().drainTimeout()));
        elected.start();
        awaitJoined(elected);
        reloading.start(elected);
        client.addListener(state -> reloading.wake());
    }

    private Reloading reloading(
            SettingsSource source,
            ConfReload.Start start,
            ZooKeeperClient client,
            TermScheduler scheduler,
            ConfDrift drift) {
        Reloading.Parts parts = new Reloading.Parts(
                new ConfReload(source, start, scheduler, time.clock()),
                new ReloadCalls(client.znodes(), client::session, time.clock()),
                new LeadingConf(client.znodes(), time.clock()),
                drift);
        return new Reloading(parts, scheduler, scheduled("reload"), time.clock());
    }

    /** From before the session, so that a health check gets its answer while ZooKeeper is waited for. */
    private Optional<String> console(
            Settings settings,
            ZooKeeperSettings zookeeper,
            ZooKeeperClient client,
            JobCatalog catalog,
            Optional<Metrics> metrics)
            throws CliException {
        if (metrics.isEmpty()) {
            return Optional.empty();
        }
        Sources sources = new Sources(
                new Instance(settings.instanceId(), client, leadership),
                client.znodes(),
                client::session,
                () -> Optional.ofNullable(running.get())
                        .map(TermScheduler::inForce)
                        .orElse(catalog),
                zookeeper.connect().toString(),
                zookeeper.embedded(),
                metrics.get());
        try {
            return Optional.of(closer.push("console", Console.start(settings.http(), sources, threads, time))
                    .address());
        } catch (ConsoleException e) {
            throw new CliException(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        }
    }

    /** This instance as its console sees it. */
    private record Instance(String id, ZooKeeperClient client, AtomicReference<Leadership> elected) implements Self {
        @Override
        public Optional<Health> health() {
            return Optional.ofNullable(elected.get()).map(Leadership::health);
        }

        @Override
        public boolean connected() {
            try {
                return client.session().connected();
            } catch (NotConnectedException e) {
                return false;
            }
        }

        @Override
        public boolean leads() {
            Leadership leadership = elected.get();
            return leadership != null
                    && leadership.role() == Role.LEADING
                    && leadership.term().filter(term -> term.gate().isOpen()).isPresent();
        }
    }

    private JobCatalog loadJobs(Settings settings) throws ConfException, CliException {
        JobCatalog catalog = JobsLoader.load(settings, time.clock());
        catalog.warnings().forEach(warning -> log.warn("{}", warning));
        try {
            TermScheduler.check(settings.quartz(), catalog.classLoader());
        } catch (SchedulerException e) {
            throw new CliException(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        }
        log.info(
                "{} jobs and {} triggers registered, conf digest {}",
                catalog.jobs().size(),
                catalog.triggers().size(),
                catalog.digest());
        return catalog;
    }

    private Optional<EmbeddedZooKeeper> embedded(Settings settings) throws SetupException, InterruptedException {
        if (!settings.zookeeper().embedded()) {
            return Optional.empty();
        }
        EmbeddedZooKeeper server =
                EmbeddedZooKeeper.startOrJoin(settings.paths().dataDir());
        closer.push("embedded ZooKeeper", server);
        return Optional.of(server);
    }

    private void sayWhenItsOwnerGoes(EmbeddedZooKeeper server, ZooKeeperClient client) {
        if (!server.isOwner()) {
            AtomicBoolean said = new AtomicBoolean();
            client.addListener(state -> threads.start("embedded-server", () -> {
                if (!server.ownerGone()) {
                    said.set(false);
                } else if (said.compareAndSet(false, true)) {
                    log.warn("The process that ran the embedded ZooKeeper server has ended, and the server with it."
                            + " Nothing runs here until there is one again: stop this instance and start it anew,"
                            + " and it runs the server itself");
                }
            }));
        }
    }

    private static void connect(ZooKeeperClient client, ZooKeeperSettings zookeeper, boolean failFast)
            throws SetupException, CliException, InterruptedException {
        if (client.awaitConnected(FAIL_FAST)) {
            return;
        }
        if (failFast) {
            throw new CliException(
                    ExitCode.UNREACHABLE,
                    "ZooKeeper at " + zookeeper.connect() + " cannot be reached within " + FAIL_FAST.toSeconds()
                            + " s" + UnknownHosts.described(zookeeper.connect())
                            + ", and --fail-fast was given. Check zookeeper.connect and the servers");
        }
        do {
            log.warn(
                    "ZooKeeper at {} cannot be reached. This instance waits for it and joins as soon as it comes;"
                            + " nothing runs here until then",
                    zookeeper.connect());
        } while (!client.awaitConnected(WAIT_STEP));
    }

    private static void awaitJoined(Leadership elected) throws CliException, InterruptedException {
        try {
            elected.joined().get();
        } catch (ExecutionException e) {
            throw ended(e);
        }
    }

    private static CliException ended(ExecutionException e) {
        if (e.getCause() instanceof DuplicateInstanceException duplicate) {
            return new CliException(ExitCode.ID_IN_USE, String.valueOf(duplicate.getMessage()), duplicate);
        }
        throw new CompletionException(e.getCause());
    }

    private ScheduledExecutorService scheduled(String name) {
        ScheduledExecutorService executor = threads.scheduled(name);
        closer.push(name, () -> Threads.stop(name, executor, STOP_EXECUTOR));
        return executor;
    }

    private void resign(String why) {
        Leadership elected = leadership.get();
        if (elected != null) {
            elected.resign(why);
        }
    }

    private InstanceInfo info(Settings settings, JobCatalog catalog, Optional<String> console) {
        return new InstanceInfo(
                settings.instanceId(),
                hostName(),
                ProcessHandle.current().pid(),
                Version.current(),
                time.now(),
                catalog.digest(),
                console.orElse(null));
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            log.debug("This host's own name does not resolve", e);
            return "localhost";
        }
    }

    /** Takes part in the election; for a look at its role, term and health. */
    public Leadership leadership() {
        Leadership elected = leadership.get();
        if (elected == null) {
            throw new IllegalStateException("not started");
        }
        return elected;
    }

    @Override
    public void awaitTermination() throws CliException, InterruptedException {
        try {
            leadership().ended().get();
        } catch (ExecutionException e) {
            throw ended(e);
        }
    }

    @Override
    public void close() {
        closer.close();
    }
}
