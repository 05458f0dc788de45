package io.latchkey.conf;

import java.time.Duration;

/**
 * How jobs are run while this instance leads.
 *
 * @param threads jobs that can run at once
 * @param misfireThreshold later than this is missed, and the trigger's misfire instruction decides
 * @param catchUp what a new leader does with missed fires
 * @param catchUpLimit the most missed fires of one trigger that are replayed under ignore-misfires
 * @param catchUpPerSecond replayed fires a second, over all triggers
 * @param maxAttempts how often one fire is tried in all, by recovery and by retries; more where a job asks for more retries
 * @param historyPerJob outcomes kept a job
 * @param runningLimit fires in flight at once, over all instances
 * @param orphanRetention how long the place of a trigger that left the configuration is kept
 */
public record SchedulerSettings(
        int threads,
        Duration misfireThreshold,
        CatchUp catchUp,
        int catchUpLimit,
        int catchUpPerSecond,
        int maxAttempts,
        int historyPerJob,
        int runningLimit,
        Duration orphanRetention) {
    static final Range<Integer> THREADS = new Range<>(1, 1000);
    static final Range<Duration> MISFIRE_THRESHOLD = new Range<>(Duration.ofMillis(10), Duration.ofDays(1));
    static final Range<Integer> CATCH_UP_LIMIT = new Range<>(0, 1_000_000);
    static final Range<Integer> CATCH_UP_PER_SECOND = new Range<>(1, 10_000);
    static final Range<Integer> MAX_ATTEMPTS = new Range<>(1, 100);
    // A history is one znode, and a transaction is at most 64 KiB.
    static final Range<Integer> HISTORY = new Range<>(1, 200);
    // Beyond this the names of the running records no longer fit into one reply of ZooKeeper's.
    static final Range<Integer> RUNNING_LIMIT = new Range<>(1, 10_000);
    static final Range<Duration> ORPHAN_RETENTION = new Range<>(Duration.ofMinutes(1), Duration.ofDays(365));

    public SchedulerSettings {
        THREADS.require("scheduler.threads", threads);
        MISFIRE_THRESHOLD.require("scheduler.misfire-threshold", misfireThreshold);
        CATCH_UP_LIMIT.require("scheduler.catch-up-limit", catchUpLimit);
        CATCH_UP_PER_SECOND.require("scheduler.catch-up-rate", catchUpPerSecond);
        MAX_ATTEMPTS.require("scheduler.max-attempts", maxAttempts);
        HISTORY.require("scheduler.history", historyPerJob);
        RUNNING_LIMIT.require("scheduler.running-limit", runningLimit);
        ORPHAN_RETENTION.require("scheduler.orphan-retention", orphanRetention);
    }

    /** What the shipped configuration gives. */
    public static SchedulerSettings defaults() {
        return new SchedulerSettings(
                10, Duration.ofSeconds(5), CatchUp.RUN, 1000, 100, 3, 50, 10_000, Duration.ofDays(1));
    }

    /** The same with another number of threads. */
    public SchedulerSettings withThreads(int count) {
        return new SchedulerSettings(
                count,
                misfireThreshold,
                catchUp,
                catchUpLimit,
                catchUpPerSecond,
                maxAttempts,
                historyPerJob,
                runningLimit,
                orphanRetention);
    }

    /** The same with another way to catch up: the command line may ask for a hold. */
    public SchedulerSettings withCatchUp(CatchUp mode) {
        return new SchedulerSettings(
                threads,
                misfireThreshold,
                mode,
                catchUpLimit,
                catchUpPerSecond,
                maxAttempts,
                historyPerJob,
                runningLimit,
                orphanRetention);
    }
}
