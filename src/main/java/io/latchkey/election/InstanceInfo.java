package io.latchkey.election;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an instance says of itself to others.
 *
 * @param id {@code instance.id}
 * @param host the machine's name
 * @param pid process id on it
 * @param version of this service
 * @param started when the process started, by its own wall clock
 * @param conf digest of the jobs it would run
 * @param console address of its console, or null if it has none
 * @param reload what became of its last reload, or null if there was none
 */
public record InstanceInfo(
        String id,
        String host,
        long pid,
        String version,
        Instant started,
        String conf,
        @Nullable String console,
        @Nullable ReloadAnswer reload) {
    /** A record read from a node someone edited may lack anything: that is malformed, not null later on. */
    public InstanceInfo {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(started, "started");
        Objects.requireNonNull(conf, "conf");
    }

    /** One that has not reloaded anything. */
    public InstanceInfo(
            String id, String host, long pid, String version, Instant started, String conf, @Nullable String console) {
        this(id, host, pid, version, started, conf, console, null);
    }

    /** The same after a reload. */
    public InstanceInfo reloaded(String conf, @Nullable ReloadAnswer answer) {
        return new InstanceInfo(id, host, pid, version, started, conf, console, answer);
    }
}
