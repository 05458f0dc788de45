package io.latchkey.scheduler;

import io.latchkey.conf.CatchUp;
import io.latchkey.conf.SchedulerSettings;
import java.time.Duration;

/** Settings that tests change, one at a time. */
final class Settings {
    private Settings() {}

    static SchedulerSettings misfireThreshold(SchedulerSettings from, Duration threshold) {
        return new SchedulerSettings(
                from.threads(),
                threshold,
                from.catchUp(),
                from.catchUpLimit(),
                from.catchUpPerSecond(),
                from.maxAttempts(),
                from.historyPerJob(),
                from.runningLimit(),
                from.orphanRetention());
    }

    static SchedulerSettings catchUp(SchedulerSettings from, int limit, int perSecond) {
        return new SchedulerSettings(
                from.threads(),
                from.misfireThreshold(),
                CatchUp.RUN,
                limit,
                perSecond,
                from.maxAttempts(),
                from.historyPerJob(),
                from.runningLimit(),
                from.orphanRetention());
    }
}
