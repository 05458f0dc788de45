package io.latchkey.zookeeper;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.curator.RetryPolicy;
import org.apache.curator.RetrySleeper;

/**
 * How Curator's own operations, the latch's above all, are tried again: for as long as the service runs, at growing
 * intervals. A latch that gave up after some tries would be a standby that can never lead.
 */
final class RetryWithoutEnd implements RetryPolicy {
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    @Override
    public boolean allowRetry(int retryCount, long elapsedTimeMs, RetrySleeper sleeper) {
        try {
            sleeper.sleepFor(pauseMillis(retryCount), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Up to half of it random, lest all instances ask at once when the ensemble comes back. */
    static long pauseMillis(int retryCount) {
        long full = Math.min(LONGEST.toMillis(), FIRST.toMillis() << Math.min(retryCount, 16));
        return full / 2 + ThreadLocalRandom.current().nextLong(full / 2 + 1);
    }
}
