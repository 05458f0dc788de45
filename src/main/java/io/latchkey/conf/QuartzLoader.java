package io.latchkey.conf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sorts the keys of quartz.properties: into those Quartz may have, those that are ignored and said once, and those that
 * are refused since the service owns what they change. {@link QuartzKeys} holds the verdicts; here they are applied.
 */
final class QuartzLoader {
    static final String PREFIX = "org.quartz.";

    private final List<Problem> problems;
    private final Map<String, String> passed = new LinkedHashMap<>();
    private final Set<String> ignored = new LinkedHashSet<>();
    private final List<String> pointers = new ArrayList<>();
    /** Groups that are answered once, at their first key: {@code dataSource.mainDs} and the like. */
    private final Set<String> answered = new LinkedHashSet<>();

    private Optional<ThreadCount> threadCount = Optional.empty();

    /** The thread count of Quartz's own key. */
    record ThreadCount(int count, Entry entry) {}

    record Result(QuartzSettings settings, Optional<ThreadCount> threadCount) {}

    private QuartzLoader(List<Problem> problems) {
        this.problems = problems;
    }

    static Result load(List<Entry> entries, List<Problem> problems) {
        QuartzLoader loader = new QuartzLoader(problems);
        Map<String, String> classes = new HashMap<>();
        entries.forEach(entry -> classes.put(entry.key(), entry.value()));
        for (Entry entry : entries) {
            loader.take(entry, classes);
        }
        return new Result(new QuartzSettings(loader.passed, loader.notices()), loader.threadCount);
    }

    private void take(Entry entry, Map<String, String> classes) {
        if (!entry.key().startsWith(PREFIX)) {
            problems.add(entry.problem("is no key of Quartz's", notQuartz(entry.key())));
            return;
        }
        String key = entry.key().substring(PREFIX.length());
        if (key.equals("threadPool.threadCount")) {
            takeThreadCount(entry);
            return;
        }
        String[] parts = key.split("\\.", 3);
        boolean named = parts.length == 3 && !parts[1].isEmpty();
        switch (parts[0]) {
            case "dataSource" -> refuseDataSource(entry, named ? parts[1] : "");
            case "plugin" -> {
                if (named) {
                    takePlugin(entry, parts[1], classes.get(PREFIX + "plugin." + parts[1] + ".class"));
                } else {
                    unknown(entry, key);
                }
            }
            case "jobListener", "triggerListener" -> {
                if (named) {
                    takeListener(entry, parts[0] + "." + parts[1], classes);
                } else {
                    unknown(entry, key);
                }
            }
            default -> apply(entry, key, QuartzKeys.verdict(key, entry.value()));
        }
    }

    private void apply(Entry entry, String key, QuartzKeys.Verdict verdict) {
        if (verdict instanceof QuartzKeys.Pass) {
            passed.put(entry.key(), entry.value());
        } else if (verdict instanceof QuartzKeys.Ignore) {
            ignored.add(entry.key());
        } else if (verdict instanceof QuartzKeys.Point point) {
            pointers.add(entry.key() + " (" + entry.place() + ") is ignored: " + point.message());
        } else if (verdict instanceof QuartzKeys.Refuse refuse) {
            problems.add(entry.problem(refuse.message(), refuse.remedy()));
        } else {
            unknown(entry, key);
        }
    }

    private void takeThreadCount(Entry entry) {
        String value = entry.value();
        if (value.matches("\\d{1,9}")
                && SchedulerSettings.THREADS.violation(Integer.valueOf(value)).isEmpty()) {
            threadCount = Optional.of(new ThreadCount(Integer.parseInt(value), entry));
            return;
        }
        problems.add(entry.problem(
                "\"" + value + "\" is not a number of threads from " + SchedulerSettings.THREADS.min() + " to "
                        + SchedulerSettings.THREADS.max(),
                "remove this line, and set scheduler.threads in " + SettingsLoader.FILE));
    }

    // One answer a data source, and never a value: they hold passwords.
    private void refuseDataSource(Entry entry, String name) {
        if (answered.add("dataSource." + name)) {
            problems.add(new Problem(
                    entry.place(),
                    PREFIX + "dataSource" + (name.isEmpty() ? "" : "." + name),
                    "a data source is refused, as this service keeps its state in ZooKeeper and opens no database",
                    "remove the lines of this data source; a job that needs a database opens its own"));
        }
    }

    private void takePlugin(Entry entry, String name, @Nullable String type) {
        QuartzKeys.Verdict verdict = type == null ? new QuartzKeys.Pass() : QuartzKeys.plugin(type);
        if (type == null) {
            refuseClassless(entry, "plugin." + name);
        } else if (verdict instanceof QuartzKeys.Pass) {
            passed.put(entry.key(), entry.value());
        } else if (answered.add("plugin." + name)) {
            if (verdict instanceof QuartzKeys.Refuse refuse) {
                problems.add(new Problem(entry.place(), PREFIX + "plugin." + name, refuse.message(), refuse.remedy()));
            } else if (verdict instanceof QuartzKeys.Point point) {
                pointers.add(PREFIX + "plugin." + name + " (" + entry.place() + ") is ignored: " + point.message());
            }
        }
    }

    private void takeListener(Entry entry, String group, Map<String, String> classes) {
        if (classes.containsKey(PREFIX + group + ".class")) {
            passed.put(entry.key(), entry.value());
        } else {
            refuseClassless(entry, group);
        }
    }

    private void refuseClassless(Entry entry, String group) {
        if (answered.add(group)) {
            problems.add(new Problem(
                    entry.place(),
                    PREFIX + group,
                    "has no class, so nothing would be made of it",
                    "add " + PREFIX + group + ".class, or remove its lines"));
        }
    }

    private void unknown(Entry entry, String key) {
        problems.add(entry.problem(
                "Quartz has no such key",
                QuartzKeys.nearest(key)
                        .map(near -> "did you mean \"" + PREFIX + near + "\"?")
                        .orElse("remove it")));
    }

    private static String notQuartz(String key) {
        if (Key.of(key).isPresent()) {
            return "set it in " + SettingsLoader.FILE;
        }
        return QuartzKeys.nearest(key.startsWith("quartz.") ? key.substring("quartz.".length()) : key)
                .map(near -> "did you mean \"" + PREFIX + near + "\"?")
                .orElse("all keys of this file begin with " + PREFIX);
    }

    private List<String> notices() {
        List<String> notices = new ArrayList<>();
        if (!ignored.isEmpty()) {
            notices.add(SettingsLoader.QUARTZ_FILE
                    + ": ignored, as the service decides these itself or they have no effect any more: "
                    + String.join(", ", ignored) + ". The lines can be removed.");
        }
        notices.addAll(pointers);
        return notices;
    }
}
