package io.latchkey.conf;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes {@link Settings} from the configuration directory, the environment and the command line, in rising order. */
public final class SettingsLoader {
    /** The settings, within the configuration directory. It need not be there. */
    public static final String FILE = "latchkey.properties";

    /** Quartz's own keys, within the configuration directory. It need not be there. */
    public static final String QUARTZ_FILE = "quartz.properties";

    private static final Logger log = LoggerFactory.getLogger(SettingsLoader.class);

    private final Path confDir;
    private final Optional<Path> file;
    private final Optional<Path> quartzFile;
    private final Map<String, String> env;
    private final List<Problem> problems = new ArrayList<>();
    private final Values values = new Values(problems);

    private SettingsLoader(Path confDir, Optional<Path> file, Optional<Path> quartzFile, Map<String, String> env) {
        this.confDir = confDir;
        this.file = file;
        this.quartzFile = quartzFile;
        this.env = env;
    }

    /**
     * Loads and checks the whole configuration. Opens nothing but its files.
     *
     * @param confDir the directory with latchkey.properties (optional) and quartz.properties (optional)
     * @param env the environment: {@code LATCHKEY_*} override the file; LATCHKEY_HOME is where relative directories start
     *     from, otherwise the parent of the configuration directory
     * @param overrides keys and values of the command line; {@code org.quartz.…} is taken as if from quartz.properties
     * @throws ConfException with every problem found
     */
    public static Settings load(Path confDir, Map<String, String> env, Map<String, String> overrides)
            throws ConfException {
        SettingsLoader loader = ofDirectory(confDir, env);
        loader.checkDirectory();
        return loader.load(overrides);
    }

    private static SettingsLoader ofDirectory(Path confDir, Map<String, String> env) {
        return new SettingsLoader(
                confDir, Optional.of(confDir.resolve(FILE)), Optional.of(confDir.resolve(QUARTZ_FILE)), env);
    }

    /**
     * Checks one file alone, as if there were no other setting.
     *
     * @return the settings it makes
     * @throws ConfException with every problem found in it
     */
    public static Settings check(Path file) throws ConfException {
        Path absolute = file.toAbsolutePath();
        List<Problem> unused = new ArrayList<>();
        boolean quartz = file.getFileName().toString().contains("quartz")
                || PropertiesFile.read(file, unused).stream()
                        .anyMatch(entry -> entry.key().startsWith(QuartzLoader.PREFIX));
        Path directory = Optional.ofNullable(absolute.getParent()).orElse(absolute);
        SettingsLoader loader = quartz
                ? new SettingsLoader(directory, Optional.empty(), Optional.of(file), Map.of())
                : new SettingsLoader(directory, Optional.of(file), Optional.empty(), Map.of());
        return loader.load(Map.of());
    }

    private Settings load(Map<String, String> overrides) throws ConfException {
        takeFile();
        takeEnvironment();
        takeOverrides(overrides);
        Optional<Settings> settings = build(quartz(overrides));
        if (settings.isEmpty()) {
            throw new ConfException(problems);
        }
        return settings.get();
    }

    /** Every value that only a start reads, as text: of each key that has none its default. Problems are not its concern. */
    static Map<String, String> written(Path confDir, Map<String, String> env, Map<String, String> overrides) {
        SettingsLoader loader = ofDirectory(confDir, env);
        loader.takeFile();
        loader.takeEnvironment();
        loader.takeOverrides(overrides);
        Map<String, String> written = new TreeMap<>();
        for (Key key : Key.values()) {
            if (!key.reloads()) {
                written.put(
                        key.key(), loader.values.entry(key).map(Entry::value).orElse(key.defaultText()));
            }
        }
        for (Entry entry : PropertiesFile.read(confDir.resolve(QUARTZ_FILE), loader.problems)) {
            written.put(entry.key() + " (" + QUARTZ_FILE + ")", entry.value());
        }
        return written;
    }

    private void checkDirectory() {
        if (!Files.isDirectory(confDir)) {
            problems.add(new Problem(
                    confDir.toString(),
                    "",
                    Files.exists(confDir) ? "is not a directory" : "there is no such configuration directory",
                    "name the one to use with --conf DIR or LATCHKEY_CONF"));
        }
    }

    private List<Entry> entries(Optional<Path> from) {
        return from.map(path -> PropertiesFile.read(path, problems)).orElse(List.of());
    }

    private void takeFile() {
        for (Entry entry : entries(file)) {
            Key.of(entry.key()).ifPresentOrElse(key -> values.put(key, entry), () -> unknown(entry));
        }
    }

    private void takeEnvironment() {
        for (Map.Entry<String, String> variable : new TreeMap<>(env).entrySet()) {
            String name = variable.getKey();
            if (!name.startsWith("LATCHKEY_") || Environment.isNoSetting(name, variable.getValue())) {
                continue;
            }
            String place = "environment " + name;
            Key.ofVariable(name)
                    .ifPresentOrElse(
                            key -> values.put(
                                    key,
                                    new Entry(key.key(), variable.getValue().strip(), place)),
                            () -> problems.add(new Problem(
                                    place,
                                    "",
                                    "no setting has this variable",
                                    Suggestions.didYouMean(name, Key.variables(), "unset it"))));
        }
    }

    private void takeOverrides(Map<String, String> overrides) {
        for (Map.Entry<String, String> override : new TreeMap<>(overrides).entrySet()) {
            if (override.getKey().startsWith(QuartzLoader.PREFIX)) {
                continue;
            }
            Entry entry = override(override);
            Key.of(entry.key()).ifPresentOrElse(key -> values.put(key, entry), () -> unknown(entry));
        }
    }

    private static Entry override(Map.Entry<String, String> given) {
        return new Entry(given.getKey(), given.getValue().strip(), "-D" + given.getKey());
    }

    private void unknown(Entry entry) {
        problems.add(entry.problem(
                "there is no such key",
                entry.key().startsWith(QuartzLoader.PREFIX)
                        ? "Quartz's own keys belong into " + QUARTZ_FILE
                        : Suggestions.didYouMean(entry.key(), Key.keys(), "remove it")));
    }

    private QuartzLoader.Result quartz(Map<String, String> overrides) {
        Map<String, Entry> entries = new TreeMap<>();
        List<String> order = new ArrayList<>();
        for (Entry entry : entries(quartzFile)) {
            entries.put(entry.key(), entry);
            order.add(entry.key());
        }
        for (Map.Entry<String, String> given : new TreeMap<>(overrides).entrySet()) {
            if (given.getKey().startsWith(QuartzLoader.PREFIX)) {
                entries.put(given.getKey(), override(given));
                order.add(given.getKey());
            }
        }
        return QuartzLoader.load(
                order.stream()
                        .distinct()
                        .flatMap(key -> Optional.ofNullable(entries.get(key)).stream())
                        .toList(),
                problems);
    }

    private Optional<Settings> build(QuartzLoader.Result quartz) {
        Path conf = confDir.toAbsolutePath().normalize();
        Path home = home(conf);
        String id = values.text(Key.INSTANCE_ID, defaultId(), Names::instanceIdProblem);
        ConnectString connect = values.connect(Key.ZOOKEEPER_CONNECT);
        String root = values.text(Key.ZOOKEEPER_ROOT, Key.ZOOKEEPER_ROOT.defaultText(), Names::rootProblem);
        Duration session = values.duration(Key.ZOOKEEPER_SESSION_TIMEOUT, ZooKeeperSettings.SESSION_TIMEOUT);
        Duration connection = connectionTimeout(session);
        boolean tracker = values.bool(Key.ZOOKEEPER_ENSEMBLE_TRACKER);
        Optional<Path> authFile = values.file(Key.ZOOKEEPER_AUTH_FILE, conf);
        Optional<Path> clientConfig = values.file(Key.ZOOKEEPER_CLIENT_CONFIG, conf);
        JobsSettings jobs = jobs(home);
        SchedulerSettings scheduler = scheduler(quartz);
        Duration drain = values.duration(Key.SHUTDOWN_DRAIN_TIMEOUT, ShutdownSettings.DRAIN_TIMEOUT);
        HttpSettings http = http(conf);
        Path data = values.directory(Key.DATA_DIR, home);
        Path logs = values.directory(Key.LOG_DIR, home);
        LogFormat format = values.logFormat(Key.LOG_FORMAT);
        if (!problems.isEmpty()) {
            return Optional.empty();
        }
        boolean embedded = connect.equals(ConnectString.EMBEDDED);
        return Optional.of(new Settings(
                id,
                new ZooKeeperSettings(connect, embedded, root, session, connection, tracker, authFile, clientConfig),
                jobs,
                scheduler,
                new ShutdownSettings(drain),
                new Paths(conf, data, logs),
                quartz.settings(),
                http,
                format));
    }

    private Path home(Path conf) {
        String given = env.getOrDefault("LATCHKEY_HOME", "");
        Path parent = conf.getParent();
        Path home = given.isBlank()
                ? parent == null ? conf : parent
                : conf.getFileSystem().getPath(given);
        return home.toAbsolutePath().normalize();
    }

    private Duration connectionTimeout(Duration session) {
        Duration connection = values.duration(Key.ZOOKEEPER_CONNECTION_TIMEOUT, ZooKeeperSettings.CONNECTION_TIMEOUT);
        Optional<Entry> given = values.entry(Key.ZOOKEEPER_CONNECTION_TIMEOUT);
        if (connection.compareTo(session) <= 0) {
            return connection;
        }
        // Left at its default it gives way to a shorter session; written down, the two contradict each other.
        given.ifPresent(entry -> problems.add(entry.problem(
                "\"" + entry.value() + "\" is longer than "
                        + values.describe(Key.ZOOKEEPER_SESSION_TIMEOUT, Durations.format(session))
                        + ", so the session could end during one attempt to connect",
                "make it " + Durations.format(session) + " or less, or the session longer")));
        return session;
    }

    private JobsSettings jobs(Path home) {
        List<String> files = values.list(Key.JOBS_FILES);
        if (files.isEmpty()) {
            values.entry(Key.JOBS_FILES)
                    .ifPresent(entry -> problems.add(entry.problem(
                            "the value names no file", "leave the key out for " + Key.JOBS_FILES.defaultText())));
        }
        List<String> classpath = values.list(Key.JOBS_CLASSPATH).stream()
                .map(pattern -> pattern.startsWith("/") ? pattern : home + "/" + pattern)
                .toList();
        return new JobsSettings(
                files, values.zone(Key.JOBS_TIME_ZONE), classpath, values.runPolicy(), values.bool(Key.JOBS_WATCH));
    }

    private SchedulerSettings scheduler(QuartzLoader.Result quartz) {
        return new SchedulerSettings(
                threads(quartz),
                values.duration(Key.SCHEDULER_MISFIRE_THRESHOLD, SchedulerSettings.MISFIRE_THRESHOLD),
                values.catchUp(Key.SCHEDULER_CATCH_UP),
                values.integer(Key.SCHEDULER_CATCH_UP_LIMIT, SchedulerSettings.CATCH_UP_LIMIT),
                values.integer(Key.SCHEDULER_CATCH_UP_RATE, SchedulerSettings.CATCH_UP_PER_SECOND),
                values.integer(Key.SCHEDULER_MAX_ATTEMPTS, SchedulerSettings.MAX_ATTEMPTS),
                values.integer(Key.SCHEDULER_HISTORY, SchedulerSettings.HISTORY),
                values.integer(Key.SCHEDULER_RUNNING_LIMIT, SchedulerSettings.RUNNING_LIMIT),
                values.duration(Key.SCHEDULER_ORPHAN_RETENTION, SchedulerSettings.ORPHAN_RETENTION));
    }

    private HttpSettings http(Path conf) {
        Optional<Path> keystore = values.path(Key.HTTP_KEYSTORE, conf);
        Optional<Path> password = values.path(Key.HTTP_KEYSTORE_PASSWORD_FILE, conf);
        needsTheOther(Key.HTTP_KEYSTORE, keystore, Key.HTTP_KEYSTORE_PASSWORD_FILE, password);
        needsTheOther(Key.HTTP_KEYSTORE_PASSWORD_FILE, password, Key.HTTP_KEYSTORE, keystore);
        return new HttpSettings(
                values.bool(Key.HTTP_ENABLED),
                values.text(Key.HTTP_BIND, Key.HTTP_BIND.defaultText(), Names::bindProblem),
                values.integer(Key.HTTP_PORT, HttpSettings.PORT),
                values.entry(Key.HTTP_PORT).isPresent(),
                values.path(Key.HTTP_TOKEN_FILE, conf),
                values.list(Key.HTTP_SHOW_DATA),
                keystore.flatMap(file -> password.map(secret -> new HttpSettings.Tls(file, secret))));
    }

    private void needsTheOther(Key key, Optional<Path> given, Key other, Optional<Path> missing) {
        if (given.isPresent() && missing.isEmpty()) {
            values.entry(key)
                    .ifPresent(entry -> problems.add(entry.problem(
                            "is set without " + other.key(), "set both for TLS, or neither for plain HTTP")));
        }
    }

    private int threads(QuartzLoader.Result quartz) {
        int own = values.integer(Key.SCHEDULER_THREADS, SchedulerSettings.THREADS);
        Optional<QuartzLoader.ThreadCount> theirs = quartz.threadCount();
        if (theirs.isEmpty()) {
            return own;
        }
        int count = theirs.get().count();
        if (values.entry(Key.SCHEDULER_THREADS).isEmpty()) {
            return count;
        }
        if (count != own) {
            problems.add(theirs.get()
                    .entry()
                    .problem(
                            "\"" + count + "\" contradicts "
                                    + values.describe(Key.SCHEDULER_THREADS, String.valueOf(own)),
                            "remove this line; scheduler.threads is enough"));
        }
        return own;
    }

    /** Host name and process id, made fit for an id. */
    private String defaultId() {
        String host = env.getOrDefault("HOSTNAME", "");
        if (host.isBlank()) {
            try {
                host = InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                log.debug("This machine's name cannot be resolved; the instance id starts with \"host\"", e);
                host = "host";
            }
        }
        String clean = host.strip().replaceAll("[^A-Za-z0-9._-]", "-");
        byte[] bytes = clean.getBytes(StandardCharsets.US_ASCII);
        String name = bytes.length > Environment.MAX_HOST ? clean.substring(0, Environment.MAX_HOST) : clean;
        return name + "-" + ProcessHandle.current().pid();
    }
}
