package io.latchkey.jobs;

import io.latchkey.conf.RunPolicy;
import io.latchkey.conf.Suggestions;
import io.latchkey.jobs.Fields.BadField;
import io.latchkey.jobs.shell.ShellData;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What comments of the form {@code # latchkey: name=backup recover=true timeout=1h} say of the next line of a crontab.
 *
 * @param name of the job; null: made from the command
 * @param concurrent whether a run may start while one before it still goes on, as with cron
 * @param data job data: of the scheduler ({@code latchkey.timeout} for {@code timeout}) and of the shell job
 */
record CrontabOptions(
        @Nullable String name,
        boolean recover,
        boolean concurrent,
        Misfire misfire,
        Map<String, @Nullable String> data) {
    static final CrontabOptions NONE = new CrontabOptions(null, false, true, Misfire.ONCE, Map.of());

    private static final Pattern COMMENT = Pattern.compile("#+\\s*latchkey\\s*:(.*)", Pattern.CASE_INSENSITIVE);
    private static final Pattern OPTION = Pattern.compile("([A-Za-z-]+)=(?:\"([^\"]*)\"|'([^']*)'|(\\S+))(?=\\s|$)");
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}._-]{1,60}");

    private static final List<String> SCHEDULERS = RunPolicy.NAMES;
    private static final List<String> SHELLS =
            List.of(ShellData.INHERIT, ShellData.SUCCESS_EXIT_CODES, ShellData.KILL_GRACE);
    private static final List<String> KNOWN = Stream.of(
                    List.of("name", "recover", "concurrent", "misfire"), SCHEDULERS, SHELLS)
            .flatMap(List::stream)
            .toList();

    CrontabOptions {
        data = Collections.unmodifiableMap(new LinkedHashMap<>(data));
    }

    /** The options in a comment line, or null if it is a comment like any other. */
    static @Nullable String in(String comment) {
        Matcher matcher = COMMENT.matcher(comment);
        return matcher.matches() ? matcher.group(1).strip() : null;
    }

    /**
     * These and those of one more comment.
     *
     * @throws BadField if one of them is no option, or is given already
     */
    CrontabOptions and(String text) {
        CrontabOptions all = this;
        Matcher option = OPTION.matcher(text);
        int at = 0;
        while (at < text.length()) {
            if (!option.find(at) || !text.substring(at, option.start()).isBlank()) {
                throw new BadField(
                        "\"" + text.substring(at).strip() + "\" is no option",
                        "write them like name=backup recover=true timeout=1h");
            }
            String value = Stream.of(2, 3, 4)
                    .map(option::group)
                    .filter(group -> group != null)
                    .findFirst()
                    .orElse("");
            all = all.with(option.group(1), value);
            at = option.end();
        }
        return all;
    }

    private CrontabOptions with(String key, String value) {
        return switch (key) {
            case "name" -> {
                if (!NAME.matcher(value).matches()) {
                    throw new BadField("name is \"" + value + "\"", "use up to 60 letters, digits, dots and dashes");
                }
                yield new CrontabOptions(value, recover, concurrent, misfire, data);
            }
            case "recover" -> new CrontabOptions(name, flag(key, value), concurrent, misfire, data);
            case "concurrent" -> new CrontabOptions(name, recover, flag(key, value), misfire, data);
            case "misfire" -> new CrontabOptions(name, recover, concurrent, misfire(value), data);
            default -> {
                if (!KNOWN.contains(key)) {
                    throw new BadField(
                            "there is no option " + key,
                            Suggestions.didYouMean(key, KNOWN, "there are " + String.join(", ", KNOWN)));
                }
                Map<String, @Nullable String> more = new LinkedHashMap<>(data);
                String dataKey = SCHEDULERS.contains(key) ? RunPolicies.PREFIX + key : key;
                if (more.putIfAbsent(dataKey, value) != null) {
                    throw new BadField(key + " is given twice", "keep one");
                }
                yield new CrontabOptions(name, recover, concurrent, misfire, more);
            }
        };
    }

    private static boolean flag(String key, String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new BadField(key + " is \"" + value + "\"", "write true or false");
        };
    }

    private static Misfire misfire(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "once" -> Misfire.ONCE;
            case "nothing" -> Misfire.NOTHING;
            case "all" -> Misfire.ALL;
            default ->
                throw new BadField(
                        "misfire is \"" + value + "\"",
                        "write once (the missed runs become one), nothing, or all (each is run)");
        };
    }
}
