package io.latchkey.election;

import java.time.Duration;

/**
 * What can be set about the election. All other times follow from the negotiated session timeout.
 *
 * @param backoffMin the pause after a first failure to lead; doubled at each further one
 * @param backoffMax the longest pause
 * @param stuckAfter how long one call to the worker may keep the leadership thread, or a silent one be tolerated, before
 *     the latch is released without it
 */
public record ElectionSettings(Duration backoffMin, Duration backoffMax, Duration stuckAfter) {
    /** One second to one minute; stuck after a minute. */
    public static final ElectionSettings DEFAULTS =
            new ElectionSettings(Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofMinutes(1));

    public ElectionSettings {
        if (backoffMin.isNegative() || backoffMin.isZero() || backoffMax.compareTo(backoffMin) < 0) {
            throw new IllegalArgumentException("The pause after a failure must be positive and its maximum no shorter: "
                    + backoffMin + ", " + backoffMax);
        }
        if (stuckAfter.isNegative() || stuckAfter.isZero()) {
            throw new IllegalArgumentException("stuckAfter must be positive: " + stuckAfter);
        }
    }
}
