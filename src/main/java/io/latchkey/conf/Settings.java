package io.latchkey.conf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The whole configuration of one instance, checked. Made by {@link SettingsLoader}.
 *
 * @param instanceId unique among the instances of one root; fit for a path in ZooKeeper
 * @param logFormat how the log is written
 */
public record Settings(
        String instanceId,
        ZooKeeperSettings zookeeper,
        JobsSettings jobs,
        SchedulerSettings scheduler,
        ShutdownSettings shutdown,
        Paths paths,
        QuartzSettings quartz,
        HttpSettings http,
        LogFormat logFormat) {
    private static final Duration SHORT_THRESHOLD = Duration.ofSeconds(1);

    public Settings {
        String id = instanceId;
        Names.instanceIdProblem(id).ifPresent(problem -> {
            throw new IllegalArgumentException("instance.id \"" + id + "\" " + problem);
        });
    }

    /** What is allowed but worth saying, a sentence each; to be logged once at start. */
    public List<String> notices() {
        List<String> notices = new ArrayList<>(quartz.notices());
        if (scheduler.misfireThreshold().compareTo(SHORT_THRESHOLD) < 0) {
            notices.add("scheduler.misfire-threshold is " + Durations.format(scheduler.misfireThreshold())
                    + ": a change of leader can take longer than that, and what comes due meanwhile is then missed."
                    + " Use 1s or more unless every late run is worse than none.");
        }
        return List.copyOf(notices);
    }

    /** The same with other settings for ZooKeeper: once the embedded server has an address. */
    public Settings withZooKeeper(ZooKeeperSettings other) {
        return new Settings(instanceId, other, jobs, scheduler, shutdown, paths, quartz, http, logFormat);
    }

    /** What is in force once {@code now} was reloaded: the jobs of that, and of the rest what was there at start. */
    public Settings reloaded(Settings now) {
        return new Settings(
                instanceId,
                zookeeper,
                now.jobs.withClasspathOf(jobs),
                scheduler,
                shutdown,
                paths,
                quartz,
                http,
                logFormat);
    }

    /** The same with other settings for the scheduler. */
    public Settings withScheduler(SchedulerSettings other) {
        return new Settings(instanceId, zookeeper, jobs, other, shutdown, paths, quartz, http, logFormat);
    }
}
