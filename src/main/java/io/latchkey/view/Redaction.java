package io.latchkey.view;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Job data as it may be shown: every key, but only the values of those that the configuration allows. Immutable. */
public final class Redaction {
    /** What stands for a value that is not shown. */
    public static final String HIDDEN = "(hidden)";

    private final List<String> shown;

    /** @param shown the keys whose values may be seen; a {@code *} at the end stands for any rest */
    public Redaction(List<String> shown) {
        this.shown = List.copyOf(shown);
    }

    /** The data by key, with {@link #HIDDEN} for what must not be seen. */
    public Map<String, @Nullable String> of(Map<String, ?> data) {
        Map<String, @Nullable String> out = new TreeMap<>();
        data.forEach((key, value) -> out.put(key, !isShown(key) ? HIDDEN : value == null ? null : value.toString()));
        return out;
    }

    private boolean isShown(String key) {
        return shown.stream()
                .anyMatch(pattern -> pattern.endsWith("*")
                        ? key.startsWith(pattern.substring(0, pattern.length() - 1))
                        : key.equals(pattern));
    }
}
