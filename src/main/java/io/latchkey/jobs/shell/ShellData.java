package io.latchkey.jobs.shell;

import io.latchkey.conf.Durations;
import io.latchkey.jobs.data.BadDataException;
import io.latchkey.jobs.data.DataProblem;
import io.latchkey.jobs.data.DataReader;
import io.latchkey.jobs.data.Numbers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The job data of a shell job, by its keys.
 *
 * @param command what to run
 * @param success the exit codes that count as done
 */
public record ShellData(Command command, Numbers success) {
    /** A line for {@code /bin/sh -c}. Either this or {@link #ARGUMENT}. */
    public static final String COMMAND = "command";
    /** With a number from 0: the program and its arguments, word by word, without a shell. */
    public static final String ARGUMENT = "argument.";
    /** Where it runs: an absolute path, or {@link #HOME}. Default: the service's working directory. */
    public static final String DIRECTORY = "directory";
    /** As a directory: the home of the service's user; its working directory where that user has none. */
    public static final String HOME = "~";
    /** With a name: a variable of its environment. */
    public static final String ENVIRONMENT = "environment.";
    /** Names, with commas between, of variables it takes over from the service. Default: none but the usual ones. */
    public static final String INHERIT = "inherit";
    /** Exit codes that are no failure, such as {@code 0,3,10-19}. Default: 0. */
    public static final String SUCCESS_EXIT_CODES = "success-exit-codes";
    /** From TERM to KILL. Default: 3s. */
    public static final String KILL_GRACE = "kill-grace";

    private static final List<String> KNOWN =
            List.of(COMMAND, ARGUMENT + "N", DIRECTORY, ENVIRONMENT + "NAME", INHERIT, SUCCESS_EXIT_CODES, KILL_GRACE);
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern INDEX = Pattern.compile("0|[1-9]\\d{0,3}");
    private static final Duration MAX_GRACE = Duration.ofHours(1);

    /** What every run is given, over anything else. */
    static final Set<String> OURS = Set.of(
            "LATCHKEY_FIRE_ID",
            "LATCHKEY_SCHEDULED_TIME",
            "LATCHKEY_FENCING_TOKEN",
            "LATCHKEY_ATTEMPT",
            "LATCHKEY_JOB");

    /** What is wrong with the data of a shell job; empty if it can run. */
    public static List<DataProblem> check(Map<String, ? extends @Nullable Object> data) {
        DataReader reader = new DataReader(data, KNOWN);
        read(reader);
        return reader.problems();
    }

    /**
     * Reads and checks the data of a job.
     *
     * @throws BadDataException if anything is wrong
     */
    public static ShellData of(Map<String, ? extends @Nullable Object> data) throws BadDataException {
        DataReader reader = new DataReader(data, KNOWN);
        ShellData read = read(reader);
        return reader.complete(() -> read);
    }

    private static ShellData read(DataReader reader) {
        Command command = new Command(
                words(reader),
                reader.read(DIRECTORY, ShellData::directory)
                        .flatMap(Function.identity())
                        .orElse(null),
                environment(reader),
                reader.read(INHERIT, ShellData::names).orElse(Set.of()),
                reader.read(KILL_GRACE, ShellData::grace).orElse(Command.DEFAULT_KILL_GRACE));
        Numbers success = reader.read(SUCCESS_EXIT_CODES, text -> Numbers.parse(text, 0, 255))
                .orElseGet(() -> Numbers.parse("0", 0, 255));
        return new ShellData(command, success);
    }

    /** The words; something to go on with where they are wrong, which is then a problem. */
    private static List<String> words(DataReader reader) {
        Map<String, String> numbered = reader.below(ARGUMENT);
        if (numbered.isEmpty()) {
            String line = reader.text(COMMAND).orElse("");
            if (line.isEmpty()) {
                reader.problem(
                        COMMAND,
                        reader.has(COMMAND) ? "is empty" : "is missing",
                        "write the line to run, or argument.0, argument.1 and so on");
            }
            return Command.shell(line);
        }
        if (reader.has(COMMAND)) {
            reader.problem(COMMAND, "is given beside argument.0", "keep one of the two");
        }
        List<String> words = new ArrayList<>();
        for (int i = 0; i < numbered.size(); i++) {
            String word = numbered.get(Integer.toString(i));
            if (word == null) {
                numbered.keySet().stream()
                        .filter(index -> !INDEX.matcher(index).matches())
                        .forEach(index -> reader.problem(
                                ARGUMENT + index, "has no number after the dot", "count from argument.0"));
                reader.problem(ARGUMENT + i, "is missing", "number the words from 0, without a gap");
                return Command.shell("");
            }
            words.add(word);
        }
        if (words.get(0).isBlank()) {
            reader.problem(ARGUMENT + 0, "is empty", "write the program to run");
        }
        return words;
    }

    private static Map<String, String> environment(DataReader reader) {
        Map<String, String> environment = reader.below(ENVIRONMENT);
        for (String name : environment.keySet()) {
            if (!NAME.matcher(name).matches()) {
                reader.problem(
                        ENVIRONMENT + name,
                        "is no name of a variable",
                        "use letters, digits and underscores, not beginning with a digit");
            } else if (OURS.contains(name)) {
                reader.problem(ENVIRONMENT + name, "is set by each run itself", "choose another name");
            }
        }
        return environment;
    }

    private static Optional<Path> directory(String text) {
        if (text.equals(HOME)) {
            return Optional.of(Path.of(System.getProperty("user.home"))).filter(Files::isDirectory);
        }
        Path path = Path.of(text);
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("is no absolute path: write it from the root, beginning with /");
        }
        return Optional.of(path);
    }

    private static Set<String> names(String text) {
        Set<String> names = new LinkedHashSet<>();
        for (String part : text.split(",", -1)) {
            String name = part.strip();
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "has \"" + name + "\", no name of a variable: write names with commas between");
            }
            names.add(name);
        }
        return names;
    }

    private static Duration grace(String text) {
        Duration grace = Durations.parse(text);
        if (grace.compareTo(MAX_GRACE) > 0) {
            throw new IllegalArgumentException("is too long: write at most " + Durations.format(MAX_GRACE));
        }
        return grace;
    }
}
