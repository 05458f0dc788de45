package io.latchkey.conf;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a properties file in the syntax of {@link java.util.Properties}, but keeps the line of each key, takes UTF-8 with
 * or without a byte order mark, and has keys set twice as problems.
 */
final class PropertiesFile {
    private final Path file;
    private final List<Problem> problems;
    private final List<Entry> entries = new ArrayList<>();

    private PropertiesFile(Path file, List<Problem> problems) {
        this.file = file;
        this.problems = problems;
    }

    /** All keys of the file in order; none if there is no such file. What is wrong is added to the problems. */
    static List<Entry> read(Path file, List<Problem> problems) {
        if (Files.notExists(file)) {
            return List.of();
        }
        PropertiesFile reader = new PropertiesFile(file, problems);
        try {
            Utf8.decode(file.toString(), Files.readAllBytes(file), problems::add)
                    .ifPresent(reader::parse);
        } catch (IOException e) {
            problems.add(new Problem(
                    file.toString(), "", "cannot be read: " + e, "make it a file this user may read, or remove it"));
        }
        return List.copyOf(reader.entries);
    }

    private void parse(String text) {
        String[] lines = text.split("\r\n|\r|\n", -1);
        for (int i = 0; i < lines.length; i++) {
            int first = i;
            String line = lines[i].stripLeading();
            if (line.isEmpty() || line.startsWith("#") || line.startsWith("!")) {
                continue;
            }
            StringBuilder logical = new StringBuilder(line);
            while (continues(logical)) {
                logical.setLength(logical.length() - 1);
                if (i + 1 == lines.length) {
                    break;
                }
                i++;
                logical.append(lines[i].stripLeading());
            }
            add(logical.toString(), first + 1);
        }
        findRepeated();
    }

    /** Whether the line ends in a backslash that is not itself escaped. */
    private static boolean continues(CharSequence line) {
        int slashes = 0;
        while (slashes < line.length() && line.charAt(line.length() - 1 - slashes) == '\\') {
            slashes++;
        }
        return slashes % 2 == 1;
    }

    private void add(String line, int number) {
        int end = 0;
        while (end < line.length() && !isSeparator(line.charAt(end))) {
            end += line.charAt(end) == '\\' ? 2 : 1;
        }
        end = Math.min(end, line.length());
        String rest = line.substring(end).stripLeading();
        if (rest.startsWith("=") || rest.startsWith(":")) {
            rest = rest.substring(1);
        }
        String key = unescape(line.substring(0, end), number);
        entries.add(new Entry(key, unescape(rest.stripLeading(), number).strip(), place(number)));
    }

    private static boolean isSeparator(char c) {
        return c == '=' || c == ':' || Character.isWhitespace(c);
    }

    private String unescape(String text, int number) {
        StringBuilder out = new StringBuilder(text.length());
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i++);
            if (c != '\\' || i == text.length()) {
                out.append(c);
                continue;
            }
            char escaped = text.charAt(i++);
            switch (escaped) {
                case 't' -> out.append('\t');
                case 'n' -> out.append('\n');
                case 'r' -> out.append('\r');
                case 'f' -> out.append('\f');
                case 'u' -> {
                    String hex = text.substring(i, Math.min(i + 4, text.length()));
                    if (hex.matches("[0-9A-Fa-f]{4}")) {
                        out.append((char) Integer.parseInt(hex, 16));
                        i += 4;
                    } else {
                        badEscape(number);
                    }
                }
                default -> out.append(escaped);
            }
        }
        return out.toString();
    }

    private void badEscape(int number) {
        problems.add(new Problem(
                place(number),
                "",
                "holds a \\u without four hexadecimal digits",
                "write the letter itself, or \\\\ for a backslash"));
    }

    private void findRepeated() {
        Map<String, Entry> seen = new HashMap<>();
        for (Entry entry : entries) {
            Entry earlier = seen.putIfAbsent(entry.key(), entry);
            if (earlier != null) {
                problems.add(
                        entry.problem("is set a second time, first at " + earlier.place(), "remove one of the two"));
            }
        }
    }

    private String place(int line) {
        return file + ":" + line;
    }
}
