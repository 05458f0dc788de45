package io.latchkey.election;

import java.util.List;

/**
 * How the election fares on this instance. A standby is healthy, also one without a connection to ZooKeeper for a moment:
 * unhealthy is one that holds the lead and cannot use it, or one whose own thread is stuck.
 *
 * @param problems empty if healthy; sentences for people
 */
public record Health(Role role, List<String> problems) {
    public Health {
        problems = List.copyOf(problems);
    }

    public boolean healthy() {
        return problems.isEmpty();
    }
}
