package io.latchkey.reload;

import java.util.List;

/** How a reload ended. */
public sealed interface Reloaded {
    /** What there is to say about it, a line each. */
    List<String> lines();

    /** The configuration is in force: in the term that is led, or in the next. */
    record Applied(String conf, List<String> lines) implements Reloaded {}

    /** The files register what is in force already. */
    record Unchanged(List<String> lines) implements Reloaded {}

    /** Nothing has changed, for these reasons. */
    record Refused(List<String> lines) implements Reloaded {}
}
