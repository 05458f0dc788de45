package io.latchkey.jobs;

import java.time.Instant;
import java.util.Optional;

/**
 * The slots of one trigger, once its start is fixed: a strictly rising sequence of instants, computed, not stored. All
 * methods are pure, cheap for ranges of many years, and agree with the fire times of the Quartz trigger that {@link
 * Triggers} builds. Instants are truncated to milliseconds, Quartz's resolution.
 */
public interface TimeTable {
    /** The first slot later than {@code after}; empty if there is none any more. */
    Optional<Instant> next(Instant after);

    /** The last slot not later than {@code atOrBefore}; empty if the first is later. */
    Optional<Instant> latest(Instant atOrBefore);

    /** How many slots lie in the range, both bounds included; 0 if {@code to} is before {@code from}. */
    long count(Instant fromInclusive, Instant toInclusive);
}
