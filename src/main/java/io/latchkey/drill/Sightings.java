package io.latchkey.drill;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the drill saw from outside, by looking often.
 *
 * @param incarnations sessions that held an instance's node, in order
 * @param leaders what {@code /leader} said, each time it changed, in order
 * @param processes the instances' processes
 */
record Sightings(List<Incarnation> incarnations, List<LeaderSeen> leaders, List<ProcessLife> processes) {
    /**
     * A session of an instance.
     *
     * @param instance whose
     * @param id the session in hex
     * @param firstSeen when its node was seen first
     * @param lastSeen a time at which its node was surely still there
     */
    record Incarnation(String instance, String id, Instant firstSeen, Instant lastSeen) {}

    /** A record in {@code /leader}, when it was seen first. */
    record LeaderSeen(Instant at, String instance, long term, long token) {}

    /**
     * A process.
     *
     * @param ended {@link Instant#MAX} if it had not by the end of the drill
     */
    record ProcessLife(String instance, long pid, Instant started, Instant ended) {}

    Sightings {
        incarnations = List.copyOf(incarnations);
        leaders = List.copyOf(leaders);
        processes = List.copyOf(processes);
    }

    /** Whether the session surely lived after that time. */
    boolean livedAfter(String incarnation, Instant time) {
        return incarnation(incarnation)
                .map(seen -> seen.lastSeen().isAfter(time))
                .orElse(false);
    }

    Optional<Incarnation> incarnation(String id) {
        return incarnations.stream().filter(seen -> seen.id().equals(id)).findFirst();
    }

    /** The session that the instance held at that time: the last one first seen by then. */
    Optional<Incarnation> incarnationOf(String instance, Instant time) {
        return incarnations.stream()
                .filter(seen ->
                        seen.instance().equals(instance) && !seen.firstSeen().isAfter(time))
                .reduce((earlier, later) -> later);
    }

    Optional<ProcessLife> process(long pid, Instant time) {
        return processes.stream()
                .filter(life -> life.pid() == pid && !life.started().isAfter(time))
                .reduce((earlier, later) -> later);
    }
}
