package io.latchkey.ledger;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A term as it is remembered for people.
 *
 * @param number of the term
 * @param token its fencing token
 * @param instance who led
 * @param since when it was taken, by the leader's clock
 * @param alive when it was last known to go on, by that clock, to within {@link #RESOLUTION}; null if that was never written
 * @param ended when it ended, by that clock; null while it goes on, and of one whose leader could not say
 */
public record PastTerm(
        long number,
        long token,
        String instance,
        Instant since,
        @Nullable Instant alive,
        @Nullable Instant ended) {
    /** How far a term that goes on may be ahead of what is known of it, if ZooKeeper answers. */
    public static final Duration RESOLUTION = Duration.ofSeconds(10);

    PastTerm aliveAt(Instant now) {
        return new PastTerm(number, token, instance, since, now, null);
    }

    PastTerm endedAt(Instant now) {
        return new PastTerm(number, token, instance, since, alive, now);
    }
}
