package io.latchkey.drill;

import io.latchkey.ledger.RunningRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The service as the drill saw it at one moment.
 *
 * @param at when
 * @param leader who leads: whose term {@code /leader} has, if its latch node is the lowest; empty if nobody
 * @param conf digest of the leader's jobs; empty if nobody leads
 * @param sessions the session by instance, of those whose node is there
 * @param next how far each trigger's cursor is, by name; a trigger without a cursor is missing
 * @param running the fires without an outcome
 */
record Snapshot(
        Instant at,
        Optional<Sightings.LeaderSeen> leader,
        String conf,
        Map<String, String> sessions,
        Map<String, Instant> next,
        List<RunningRecord> running) {
    /** A trigger whose cursor is no further behind is up to date: its slots may wait for the job's own last run. */
    private static final Duration BEHIND = Duration.ofMillis(3500);

    static final Snapshot NOTHING = new Snapshot(Instant.MIN, Optional.empty(), "", Map.of(), Map.of(), List.of());

    /** What keeps the service from being whole and up to date, in words; empty if nothing does. */
    Optional<String> unsettled(Collection<String> instances, Collection<DrillTrigger> triggers) {
        if (leader.isEmpty()) {
            return Optional.of("nobody leads");
        }
        Set<String> missing = new TreeSet<>(instances);
        missing.removeAll(sessions.keySet());
        if (!missing.isEmpty()) {
            return Optional.of("not there: " + String.join(", ", missing));
        }
        for (DrillTrigger trigger : triggers) {
            Instant due = next.get(trigger.name());
            if (due == null || due.isBefore(at.minus(BEHIND))) {
                return Optional.of(
                        "trigger " + trigger.name() + (due == null ? " has no cursor" : " has only come to " + due));
            }
        }
        return running.stream()
                .filter(record -> !sessions.containsValue(record.owner().incarnation()))
                .map(record -> record.id() + " of " + record.owner().instance() + " (gone) is not decided")
                .findFirst();
    }
}
