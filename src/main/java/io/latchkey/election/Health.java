package io.latchkey.election;

import java.util.List;
import java.util.stream.Stream;

/**
 * How the election fares on this instance. A standby is healthy, also one without a connection to ZooKeeper for a moment:
 * unhealthy is one that holds the lead and cannot use it, or one whose own thread is stuck.
 *
 * @param failures why it cannot use the lead that it holds, or cannot do anything at all; sentences for people
 * @param obstacles why it does not lead, though it is not the one at fault or stands back for a while; sentences for people
 */
public record Health(Role role, List<String> failures, List<String> obstacles) {
    public Health {
        failures = List.copyOf(failures);
        obstacles = List.copyOf(obstacles);
    }

    /** Both; empty if healthy. */
    public List<String> problems() {
        return Stream.concat(failures.stream(), obstacles.stream()).toList();
    }

    public boolean healthy() {
        return failures.isEmpty() && obstacles.isEmpty();
    }
}
