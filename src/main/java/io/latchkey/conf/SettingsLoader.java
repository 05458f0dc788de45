package io.latchkey.conf;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** Makes {@link Settings} from the configuration directory, the environment and the command line, in rising order. */
public final class SettingsLoader {
    private SettingsLoader() {}

    /**
     * Loads and checks the whole configuration.
     *
     * @param confDir the directory with latchkey.properties (optional) and quartz.properties (optional)
     * @param env the environment: {@code LATCHKEY_*} override the file; LATCHKEY_HOME is where relative directories start
     *     from, otherwise the parent of the configuration directory
     * @param overrides keys and values of the command line
     * @throws ConfException with every problem found
     */
    public static Settings load(Path confDir, Map<String, String> env, Map<String, String> overrides)
            throws ConfException {
        if (!Files.isDirectory(confDir)) {
            throw new ConfException(List.of(new Problem(
                    confDir.toString(), "", "there is no such configuration directory", "give one with --conf DIR")));
        }
        Path home = Path.of(
                        env.getOrDefault("LATCHKEY_HOME", confDir.resolve("..").toString()))
                .toAbsolutePath()
                .normalize();
        return new Settings(
                overrides.getOrDefault("instance.id", "instance"),
                ZooKeeperSettings.of(ConnectString.parse(overrides.getOrDefault("zookeeper.connect", "127.0.0.1"))),
                new JobsSettings(
                        List.of("jobs.xml", "jobs.d/*.xml"),
                        ZoneOffset.UTC,
                        List.of(home.resolve("jobs").resolve("*.jar").toString())),
                SchedulerSettings.defaults(),
                new ShutdownSettings(Duration.ofSeconds(30)),
                new Paths(confDir.toAbsolutePath().normalize(), home.resolve("data"), home.resolve("logs")),
                QuartzSettings.NONE);
    }
}
