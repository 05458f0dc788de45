package io.latchkey.conf;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The value in force for each key, read as what it should be. A bad one becomes a problem and counts as unset, so that the
 * rest is checked as well.
 */
final class Values {
    private final Map<Key, Entry> inForce = new EnumMap<>(Key.class);
    private final List<Problem> problems;

    Values(List<Problem> problems) {
        this.problems = problems;
    }

    /** Sets a key over what was there before. */
    void put(Key key, Entry entry) {
        inForce.put(key, entry);
    }

    Optional<Entry> entry(Key key) {
        return Optional.ofNullable(inForce.get(key));
    }

    /** How to name the value in force: with its place, or as the default. */
    String describe(Key key, String value) {
        return key.key() + "=" + value
                + entry(key).map(entry -> " (" + entry.place() + ")").orElse(" (the default)");
    }

    Duration duration(Key key, Range<Duration> range) {
        return read(key, text -> checked(range, Durations.parse(text)));
    }

    int integer(Key key, Range<Integer> range) {
        return read(key, text -> checked(range, wholeNumber(text)));
    }

    boolean bool(Key key) {
        return read(key, Values::flag);
    }

    static boolean flag(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("is neither true nor false: write one of them");
        };
    }

    /** The defaults of all jobs: what the {@code jobs.*} keys say of the parts of a policy that have their names. */
    RunPolicy runPolicy() {
        RunPolicy policy = RunPolicy.DEFAULT;
        for (String name : RunPolicy.NAMES) {
            Key key = Key.of("jobs." + name).orElseThrow();
            RunPolicy before = policy;
            // What is called on a failure may have a secret in it.
            policy = read(key, text -> before.with(name, text), key != Key.JOBS_ON_FAILURE);
        }
        return policy;
    }

    CatchUp catchUp(Key key) {
        return read(key, text -> switch (text.toLowerCase(Locale.ROOT)) {
            case "run" -> CatchUp.RUN;
            case "hold" -> CatchUp.HOLD;
            default -> throw new IllegalArgumentException("is neither run nor hold: write one of them");
        });
    }

    /** How the log is written. */
    LogFormat logFormat(Key key) {
        return read(key, text -> switch (text.toLowerCase(Locale.ROOT)) {
            case "text" -> LogFormat.TEXT;
            case "json" -> LogFormat.JSON;
            default -> throw new IllegalArgumentException("is neither text nor json: write one of them");
        });
    }

    ZoneId zone(Key key) {
        return read(
                key,
                text -> Zones.find(text)
                        .orElseThrow(
                                () -> new IllegalArgumentException("is no known time zone: " + Zones.remedy(text))));
    }

    ConnectString connect(Key key) {
        // What looks like a login is not repeated in a message.
        boolean login = entry(key).map(entry -> entry.value().contains("@")).orElse(false);
        return read(key, ConnectString::parse, !login);
    }

    /** A text that keeps a rule. */
    String text(Key key, String byDefault, Function<String, Optional<String>> rule) {
        if (entry(key).isEmpty()) {
            return byDefault;
        }
        return read(key, value -> {
            rule.apply(value).ifPresent(problem -> {
                throw new IllegalArgumentException(problem);
            });
            return value;
        });
    }

    /** Parts between commas, without the space around them and without empty ones. */
    List<String> list(Key key) {
        return read(
                key,
                text -> Arrays.stream(text.split(","))
                        .map(String::strip)
                        .filter(part -> !part.isEmpty())
                        .toList());
    }

    /** A directory, made absolute from a base; it need not exist. */
    Path directory(Key key, Path base) {
        return read(key, text -> {
            if (text.isEmpty()) {
                throw new IllegalArgumentException("is empty: name a directory, or leave the key out");
            }
            return resolve(base, text);
        });
    }

    /** A file that must be there, made absolute from a base; empty if unset. Its name is kept out of messages. */
    Optional<Path> file(Key key, Path base) {
        return read(
                key,
                text -> {
                    if (text.isEmpty()) {
                        return Optional.empty();
                    }
                    Path file = resolve(base, text);
                    if (!Files.isReadable(file) || Files.isDirectory(file)) {
                        throw new IllegalArgumentException(
                                "names no file that can be read: write its path, relative to the configuration"
                                        + " directory");
                    }
                    return Optional.of(file);
                },
                // Somebody may have put the secret itself here.
                false);
    }

    /**
     * A file, made absolute from a base; empty if unset. Whether it can be read is for the one who reads it: not
     * everybody who loads the settings may.
     */
    Optional<Path> path(Key key, Path base) {
        return read(key, text -> text.isEmpty() ? Optional.empty() : Optional.of(resolve(base, text)), false);
    }

    private static Path resolve(Path base, String text) {
        try {
            return base.resolve(text).normalize();
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("is no path: write the name of a file or directory", e);
        }
    }

    private <T> T read(Key key, Function<String, T> reader) {
        return read(key, reader, true);
    }

    private <T> T read(Key key, Function<String, T> reader, boolean show) {
        Entry entry = inForce.get(key);
        if (entry != null) {
            try {
                return reader.apply(entry.value());
            } catch (IllegalArgumentException e) {
                String rule = String.valueOf(e.getMessage());
                int remedy = rule.indexOf(": ");
                String what = show && !entry.value().isEmpty() ? "\"" + entry.value() + "\" " : "the value ";
                problems.add(entry.problem(
                        what + (remedy < 0 ? rule : rule.substring(0, remedy)),
                        remedy < 0 ? "the default is " + key.defaultText() : rule.substring(remedy + 2)));
            }
        }
        return reader.apply(key.defaultText());
    }

    static int wholeNumber(String text) {
        if (!text.matches("[+-]?\\d{1,9}")) {
            throw new IllegalArgumentException("is not a whole number: write digits only");
        }
        return Integer.parseInt(text);
    }

    static <T extends Comparable<T>> T checked(Range<T> range, T value) {
        range.violation(value).ifPresent(rule -> {
            throw new IllegalArgumentException(rule);
        });
        return value;
    }
}
