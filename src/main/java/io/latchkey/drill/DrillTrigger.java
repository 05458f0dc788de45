package io.latchkey.drill;

import io.latchkey.jobs.Misfire;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * One trigger of the drill and, at the same time, the oracle of when it is due: every so many seconds of UTC, which needs no
 * scheduler to compute.
 *
 * @param name its name, group {@link DrillJobs#GROUP}
 * @param job what it fires
 * @param kind how it is written in the job file
 * @param every seconds between slots; of a cron a divisor of 60
 * @param misfire its instruction
 */
record DrillTrigger(String name, DrillJobs.JobDef job, Kind kind, int every, Misfire misfire) {
    enum Kind {
        CRON,
        SIMPLE,
        CALENDAR
    }

    DrillTrigger {
        if (every < 1 || (kind == Kind.CRON && 60 % every != 0) || 86_400 % every != 0) {
            throw new IllegalArgumentException(name + ": every " + every + " s is no even division of time");
        }
    }

    boolean isSlot(Instant instant) {
        return instant.getNano() == 0 && Math.floorMod(instant.getEpochSecond(), (long) every) == 0;
    }

    /** The slots from one instant (included) to another (not included). */
    List<Instant> slots(Instant from, Instant to) {
        List<Instant> slots = new ArrayList<>();
        long first = -Math.floorDiv(-ceilSecond(from), (long) every) * every;
        for (Instant slot = Instant.ofEpochSecond(first); slot.isBefore(to); slot = slot.plusSeconds(every)) {
            slots.add(slot);
        }
        return slots;
    }

    private static long ceilSecond(Instant instant) {
        return instant.getEpochSecond() + (instant.getNano() == 0 ? 0 : 1);
    }
}
