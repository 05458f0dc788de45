package io.latchkey;

import static org.awaitility.Awaitility.await;

import io.latchkey.conf.SettingsLoader;
import io.latchkey.election.Time;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.jobs.JobsLoader;
import io.latchkey.jobs.TriggerSpec;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.HistoryEntry;
import io.latchkey.ledger.LedgerReader;
import io.latchkey.ledger.LedgerSettings;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.PlantedLedger;
import io.latchkey.ledger.Request;
import io.latchkey.ledger.ZooKeeperFireLedger;
import io.latchkey.lifecycle.Closer;
import io.latchkey.testing.TcpProxy;
import io.latchkey.testing.TestZooKeeper;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.ZooKeeperClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.awaitility.core.ConditionFactory;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/** A server, whole instances on it, and a look into their ledger from outside. Everything is in job group "ops", in UTC. */
final class Scene implements AutoCloseable {
    private final Closer closer = new Closer();
    private final Map<ServiceInstance, TcpProxy> networks = new HashMap<>();
    private final TestZooKeeper zookeeper;
    private final ZooKeeperClient client;

    Scene() throws Exception {
        zookeeper = TestZooKeeper.server();
        closer.push("ZooKeeper", zookeeper);
        client = zookeeper.client();
    }

    /** What a test waits for: generous, since the machine may be busy. */
    static ConditionFactory patiently() {
        return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }

    /** One of the case files, as text. */
    static String caseFile(String name) throws IOException {
        try (InputStream in = Scene.class.getResourceAsStream("/cases/scenario/" + name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** A conf directory with one of the case files. */
    static Path caseConf(Path dir, String name) throws IOException {
        return confWith(dir, caseFile(name));
    }

    static Path confWith(Path dir, String file) throws IOException {
        Files.createDirectories(dir);
        Files.writeString(dir.resolve("jobs.xml"), file);
        return dir;
    }

    static JobCatalog catalog(Path conf) throws Exception {
        Map<String, String> overrides = Map.of("zookeeper.connect", "localhost:2181");
        return JobsLoader.load(SettingsLoader.load(conf, Map.of(), overrides), Clock.systemUTC());
    }

    static TriggerSpec trigger(Path conf, String name) throws Exception {
        return catalog(conf).trigger(new TriggerKey(name, "ops")).orElseThrow();
    }

    ServiceInstance start(Path conf, String id, String... settings) throws Exception {
        return start(conf, id, Time.system(), settings);
    }

    /** Starts an instance with a network of its own. */
    ServiceInstance start(Path conf, String id, Time time, String... settings) throws Exception {
        TcpProxy network = zookeeper.viaProxy();
        ServiceInstance instance = ServiceInstance.start(conf, id, network.connectString(), time, settings);
        networks.put(instance, network);
        closer.push(id, instance);
        return instance;
    }

    /** Starts an instance and waits until it leads. */
    ServiceInstance lead(Path conf, String id, String... settings) throws Exception {
        return lead(conf, id, Time.system(), settings);
    }

    ServiceInstance lead(Path conf, String id, Time time, String... settings) throws Exception {
        ServiceInstance instance = start(conf, id, time, settings);
        patiently().until(instance::leads);
        return instance;
    }

    /** As far as all others can tell the leader is dead: its session is gone, and nothing comes from it any more. */
    void kill(ServiceInstance leader) throws Exception {
        Session session = leader.term().session();
        Objects.requireNonNull(networks.get(leader)).cut();
        zookeeper.expire(session);
    }

    /** Its network is back. */
    void heal(ServiceInstance cut) {
        Objects.requireNonNull(networks.get(cut)).heal();
    }

    PlantedLedger planted() throws Exception {
        return new PlantedLedger(client.session(), client.znodes());
    }

    LedgerReader ledger() throws Exception {
        return new LedgerReader(client.znodes(), client.session());
    }

    /** Asks for something as the command line would. */
    void submit(Request request) throws Exception {
        ScheduledExecutorService unused = Executors.newSingleThreadScheduledExecutor();
        try (ZooKeeperFireLedger ledger = new ZooKeeperFireLedger(
                client.znodes(), client::session, LedgerSettings.DEFAULT, Clock.systemUTC(), unused, unused)) {
            ledger.submit(request);
        } finally {
            unused.shutdownNow();
        }
    }

    TestZooKeeper zookeeper() {
        return zookeeper;
    }

    Cursor cursor(String trigger) throws Exception {
        TriggerKey key = new TriggerKey(trigger, "ops");
        return ledger().jobs().stream()
                .flatMap(job -> job.cursors().stream())
                .filter(cursor -> cursor.trigger().equals(key))
                .findFirst()
                .orElseThrow();
    }

    List<HistoryEntry> history(String job) throws Exception {
        return ledger().history(new JobKey(job, "ops"));
    }

    /** How many fires of a job ended so, skipped ones with the number they stand for. */
    long outcomes(String job, Outcome.Kind kind) throws Exception {
        return history(job).stream()
                .map(HistoryEntry::outcome)
                .filter(outcome -> outcome.kind() == kind)
                .mapToLong(Outcome::count)
                .sum();
    }

    @Override
    public void close() {
        closer.close();
    }
}
