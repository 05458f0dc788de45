package io.latchkey.console;

import io.latchkey.election.Health;
import java.util.Optional;

/** The instance that the console belongs to, as it knows itself, without asking ZooKeeper. Any thread; returns at once. */
public interface Self {
    /** Its id. */
    String id();

    /** How it fares in the election; empty while it has not begun to take part. */
    Optional<Health> health();

    /** Whether it is connected to ZooKeeper. */
    boolean connected();

    /** Whether it leads: its gate is open. */
    boolean leads();
}
