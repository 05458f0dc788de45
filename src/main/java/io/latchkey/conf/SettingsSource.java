package io.latchkey.conf;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Where the settings of an instance come from, to be read again while it runs. Immutable; reads files.
 *
 * @param env the environment
 * @param overrides keys and values of the command line
 */
public record SettingsSource(Path confDir, Map<String, String> env, Map<String, String> overrides) {
    public SettingsSource {
        env = Map.copyOf(env);
        overrides = Map.copyOf(overrides);
    }

    /**
     * The settings as they are now.
     *
     * @throws ConfException with every problem found
     */
    public Settings load() throws ConfException {
        return SettingsLoader.load(confDir, env, overrides);
    }

    /** What is written there now of that which only a start reads, by key; to be compared, for values may be secret. */
    public Written written() {
        return new Written(SettingsLoader.written(confDir, env, overrides));
    }

    /** Neither environment nor command line: secrets may be among them. */
    @Override
    public String toString() {
        return "SettingsSource[" + confDir + "]";
    }

    /** Values as they were written at one time, by key. Never to be shown. */
    public static final class Written {
        private final Map<String, String> values;

        private Written(Map<String, String> values) {
            this.values = new LinkedHashMap<>(values);
        }

        /** The keys that are other now, in order. */
        public SortedSet<String> changed(Written now) {
            Map<String, String> all = new TreeMap<>(values);
            all.putAll(now.values);
            TreeSet<String> changed = new TreeSet<>();
            for (String key : all.keySet()) {
                String before = values.get(key);
                if (before == null || !before.equals(now.values.get(key))) {
                    changed.add(key);
                }
            }
            return changed;
        }
    }
}
