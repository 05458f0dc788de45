package io.latchkey.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Names for the jobs of a crontab's lines: what they run, as far as it can be told, and a digest of the rest. */
final class CrontabNames {
    private static final int HASH = 6;
    private static final int MAX_WORDS = 3;
    private static final int MAX_LENGTH = 40;
    private static final Pattern GO_THERE = Pattern.compile("^cd\\s+\\S+\\s*(&&|;)\\s*");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*=.*");
    private static final Pattern END = Pattern.compile("[|&;<>()\"'`$].*|\\d?>.*");

    private CrontabNames() {}

    /** Such as {@code backup.sh-1f2e3d}. */
    static String of(CrontabLine line) {
        String input = line.input() == null ? "" : line.input();
        String words = words(line.command());
        return (words.isEmpty() ? "" : words + "-") + hash(line.command() + "\0" + input);
    }

    static String hash(String text) {
        return Digest.of(text).substring(0, HASH);
    }

    private static String words(String command) {
        List<String> words = new ArrayList<>();
        for (String word : GO_THERE.matcher(command).replaceFirst("").split("\\s+", -1)) {
            if (VARIABLE.matcher(word).matches() && words.isEmpty()) {
                continue;
            }
            if (END.matcher(word).matches() || words.size() == MAX_WORDS) {
                break;
            }
            String base = word.substring(word.lastIndexOf('/') + 1)
                    .replaceAll("[^\\p{L}\\p{N}._-]+", "-")
                    .replaceAll("^[.-]+|[.-]+$", "");
            if (word.startsWith("-") || base.isEmpty()) {
                break;
            }
            words.add(base.toLowerCase(Locale.ROOT));
        }
        String all = String.join("-", words);
        return all.length() <= MAX_LENGTH ? all : all.substring(0, MAX_LENGTH);
    }
}
