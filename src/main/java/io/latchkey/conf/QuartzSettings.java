package io.latchkey.conf;

import java.util.List;
import java.util.Map;

/**
 * What is left of {@code quartz.properties} for Quartz itself: listeners, plugins, thread priority. Keys the service owns
 * are not among them, so its own values can be put on top.
 *
 * @param properties full keys ({@code org.quartz.…}) and values. Values may be secret: never log them
 * @param notices what was ignored and why, a sentence each; to be logged once at start
 */
public record QuartzSettings(Map<String, String> properties, List<String> notices) {
    /** No file, or nothing in it. */
    public static final QuartzSettings NONE = new QuartzSettings(Map.of(), List.of());

    public QuartzSettings {
        properties = Map.copyOf(properties);
        notices = List.copyOf(notices);
    }

    /** Names keys only: a value may be a password. */
    @Override
    public String toString() {
        return "QuartzSettings" + properties.keySet();
    }
}
