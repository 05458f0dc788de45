package io.latchkey.conf;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Every key of latchkey.properties: the one list that loader, shipped file and documentation agree with. */
public enum Key {
    INSTANCE_ID("instance.id", "host-pid"),
    ZOOKEEPER_CONNECT("zookeeper.connect", "embedded"),
    ZOOKEEPER_ROOT("zookeeper.root", "/latchkey"),
    ZOOKEEPER_SESSION_TIMEOUT("zookeeper.session-timeout", "10s"),
    ZOOKEEPER_CONNECTION_TIMEOUT("zookeeper.connection-timeout", "5s"),
    ZOOKEEPER_ENSEMBLE_TRACKER("zookeeper.ensemble-tracker", "true"),
    ZOOKEEPER_AUTH_FILE("zookeeper.auth-file", ""),
    ZOOKEEPER_CLIENT_CONFIG("zookeeper.client-config", ""),
    JOBS_FILES("jobs.files", "jobs.xml,jobs.d/*.xml"),
    JOBS_TIME_ZONE("jobs.time-zone", "UTC"),
    JOBS_CLASSPATH("jobs.classpath", "jobs/*.jar"),
    JOBS_WATCH("jobs.watch", "false"),
    JOBS_TIMEOUT("jobs.timeout", "none"),
    JOBS_RETRIES("jobs.retries", "0"),
    JOBS_RETRY_BACKOFF("jobs.retry-backoff", "10s"),
    JOBS_RETRY_BACKOFF_MAX("jobs.retry-backoff-max", "10m"),
    JOBS_RETRY_PAST_NEXT("jobs.retry-past-next", "false"),
    JOBS_ON_LEADERSHIP_LOST("jobs.on-leadership-lost", "interrupt"),
    JOBS_ON_FAILURE("jobs.on-failure", "none"),
    SCHEDULER_THREADS("scheduler.threads", "10"),
    SCHEDULER_MISFIRE_THRESHOLD("scheduler.misfire-threshold", "5s"),
    SCHEDULER_CATCH_UP("scheduler.catch-up", "run"),
    SCHEDULER_CATCH_UP_LIMIT("scheduler.catch-up-limit", "1000"),
    SCHEDULER_CATCH_UP_RATE("scheduler.catch-up-rate", "100"),
    SCHEDULER_MAX_ATTEMPTS("scheduler.max-attempts", "3"),
    SCHEDULER_HISTORY("scheduler.history", "50"),
    SCHEDULER_RUNNING_LIMIT("scheduler.running-limit", "10000"),
    SCHEDULER_ORPHAN_RETENTION("scheduler.orphan-retention", "1d"),
    SHUTDOWN_DRAIN_TIMEOUT("shutdown.drain-timeout", "30s"),
    HTTP_ENABLED("http.enabled", "true"),
    HTTP_BIND("http.bind", "127.0.0.1"),
    HTTP_PORT("http.port", "8080"),
    HTTP_TOKEN_FILE("http.token-file", ""),
    HTTP_SHOW_DATA("http.show-data", ""),
    HTTP_KEYSTORE("http.keystore", ""),
    HTTP_KEYSTORE_PASSWORD_FILE("http.keystore-password-file", ""),
    DATA_DIR("data.dir", "data"),
    LOG_DIR("log.dir", "logs"),
    LOG_FORMAT("log.format", "text");

    private final String key;
    private final String defaultText;

    Key(String key, String defaultText) {
        this.key = key;
        this.defaultText = defaultText;
    }

    /** The key as written in the file. */
    public String key() {
        return key;
    }

    /** The default as one would write it; empty for none. That of instance.id stands for host name and process id. */
    public String defaultText() {
        return defaultText;
    }

    /** Whether a change of it takes effect when the configuration is reloaded; it wants a restart otherwise. */
    boolean reloads() {
        return key.startsWith("jobs.") && this != JOBS_CLASSPATH;
    }

    /** The environment variable that overrides the file. */
    public String variable() {
        return "LATCHKEY_" + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    static Optional<Key> of(String key) {
        return Arrays.stream(values()).filter(known -> known.key.equals(key)).findFirst();
    }

    static Optional<Key> ofVariable(String variable) {
        return Arrays.stream(values())
                .filter(known -> known.variable().equals(variable))
                .findFirst();
    }

    static List<String> keys() {
        return Arrays.stream(values()).map(Key::key).toList();
    }

    static List<String> variables() {
        return Arrays.stream(values()).map(Key::variable).toList();
    }
}
