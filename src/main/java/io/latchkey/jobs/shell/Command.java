package io.latchkey.jobs.shell;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What to run. Immutable.
 *
 * @param words the program and its arguments; at least one
 * @param directory absolute; null for the service's own working directory
 * @param environment set over what is inherited
 * @param inherited names of variables of the service that the program sees, beyond {@link Environments#INHERITED}
 * @param killGrace from TERM to KILL, when the program is to end
 */
public record Command(
        List<String> words,
        @Nullable Path directory,
        Map<String, String> environment,
        Set<String> inherited,
        Duration killGrace) {
    /** Shorter than what is left between the interrupt at a lost lead and the next leader, at default settings. */
    public static final Duration DEFAULT_KILL_GRACE = Duration.ofSeconds(3);

    public Command {
        words = List.copyOf(words);
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
        inherited = Set.copyOf(inherited);
        if (words.isEmpty()) {
            throw new IllegalArgumentException("a command has at least a program");
        }
    }

    /** A line for {@code /bin/sh -c}, with these variables and defaults for all else. */
    public static Command line(String line, Map<String, String> environment) {
        return new Command(shell(line), null, environment, Set.of(), DEFAULT_KILL_GRACE);
    }

    static List<String> shell(String line) {
        return List.of("/bin/sh", "-c", line);
    }

    /** This, with more variables; those given go over those that are there. */
    public Command with(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(environment);
        all.putAll(more);
        return new Command(words, directory, all, inherited, killGrace);
    }
}
