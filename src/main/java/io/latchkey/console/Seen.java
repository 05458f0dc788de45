package io.latchkey.console;

import java.time.Instant;

/**
 * Something read from ZooKeeper, and how far it can be trusted to be so still.
 *
 * @param value what was read
 * @param asOf when, by this machine's clock
 * @param ageMillis how long ago, in elapsed time
 * @param stale whether it could not be read anew since: ZooKeeper is out of reach, or slow
 * @param trouble why; empty if not stale
 */
record Seen<T>(T value, Instant asOf, long ageMillis, boolean stale, String trouble) {
    /** The same moment's look at a part of it. */
    <R> Seen<R> with(R part) {
        return new Seen<>(part, asOf, ageMillis, stale, trouble);
    }
}
