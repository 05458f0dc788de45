package io.latchkey.jobs.cron;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * The slots of a schedule, in both directions and counted. Implementations are immutable and safe for any thread; every
 * method ends quickly, also for a schedule that never fires. Slots are whole seconds.
 */
public sealed interface TimeTable permits CronSchedule, UnixCron {
    /** The first slot strictly after {@code after}; empty if there is none up to the end of 2199. */
    Optional<Instant> next(Instant after, ZoneId zone);

    /** The last slot at or before {@code atOrBefore}; empty if there is none back to the start of 1970. */
    Optional<Instant> previous(Instant atOrBefore, ZoneId zone);

    /** How many slots lie between the two instants, both included. Its cost grows with the months, not with the slots. */
    long countBetween(Instant fromInclusive, Instant toInclusive, ZoneId zone);
}
