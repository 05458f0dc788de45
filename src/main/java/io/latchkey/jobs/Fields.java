package io.latchkey.jobs;

import io.latchkey.conf.Code;
import io.latchkey.conf.Suggestions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The child elements of one job or trigger, by name, each at most once. Reading a field never fails: what is wrong with it
 * becomes a problem at its place, and the field counts as absent.
 */
final class Fields {
    private final XmlNode owner;
    private final Report report;
    private final Map<String, XmlNode> byName = new LinkedHashMap<>();
    private final Map<String, String> dataPlaces = new LinkedHashMap<>();
    private String subject;

    /**
     * @param known the names that may occur; any other is a problem
     * @param subject what to call the owner until {@link #subject} knows better
     */
    Fields(XmlNode owner, List<String> known, String subject, Report report) {
        this.owner = owner;
        this.report = report;
        this.subject = subject;
        for (XmlNode child : owner.children()) {
            take(child, known);
        }
    }

    private void take(XmlNode child, List<String> known) {
        String name = child.name();
        if (report.ignoresOld(child)) {
            return;
        }
        if (!known.contains(name)) {
            report.problem(
                    Code.UNKNOWN,
                    child.place(),
                    subject,
                    "unknown element <" + name + ">",
                    Suggestions.nearest(name, known)
                            .map(near -> "did you mean <" + near + ">?")
                            .orElse("known here: " + String.join(", ", known)));
        } else if (byName.putIfAbsent(name, child) != null) {
            report.problem(Code.DUPLICATE, child.place(), subject, "<" + name + "> is given twice", "keep one");
        }
    }

    /** What this is from now on called in problems. */
    void subject(String name) {
        subject = name;
    }

    Optional<XmlNode> node(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** The trimmed text; empty if the element is absent or has none. */
    Optional<String> text(String name) {
        return node(name).map(XmlNode::text).filter(text -> !text.isEmpty());
    }

    /** The trimmed text; a problem if there is none. */
    Optional<String> required(String name) {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            report.problem(Code.MISSING, place(name), subject, "<" + name + "> is missing or empty", "add it");
        }
        return text;
    }

    /** What {@code read} makes of the text; its BadField becomes a problem. Absent or bad: empty. */
    <T> Optional<T> read(String name, Function<String, T> read) {
        try {
            return text(name).map(read);
        } catch (BadField e) {
            report.problem(e.code(), place(name), subject, e.what(), e.remedy());
            return Optional.empty();
        }
    }

    boolean flag(String name, boolean otherwise) {
        return read(name, text -> flagOf(name, text)).orElse(otherwise);
    }

    long number(String name, long otherwise, long min, long max) {
        return read(name, text -> numberOf(name, text, min, max)).orElse(otherwise);
    }

    private static boolean flagOf(String name, String text) {
        return switch (text) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default -> throw new BadField("<" + name + "> is \"" + text + "\"", "write true or false");
        };
    }

    private static long numberOf(String name, String text, long min, long max) {
        String rule = "write a whole number from " + min + " to " + max;
        long number;
        try {
            number = Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new BadField("<" + name + "> is \"" + text + "\", no whole number", rule);
        }
        if (number < min || number > max) {
            throw new BadField("<" + name + "> is " + text, rule);
        }
        return number;
    }

    /** Says that something about a field is wrong. */
    void problem(String name, String message, String remedy) {
        report.problem(place(name), subject, message, remedy);
    }

    /** Where a field stands, or its owner if it is absent. */
    String place(String name) {
        return node(name).map(XmlNode::place).orElse(owner.place());
    }

    /** The entries of {@code job-data-map}: keys and values trimmed, an empty value null, the last of a key stands. */
    Map<String, @Nullable String> data() {
        Map<String, @Nullable String> data = new LinkedHashMap<>();
        List<XmlNode> entries = node("job-data-map").map(XmlNode::children).orElse(List.of());
        for (XmlNode node : entries) {
            if (!node.name().equals("entry")) {
                report.problem(
                        Code.UNKNOWN, node.place(), subject, "unknown element <" + node.name() + ">", "write <entry>");
                continue;
            }
            Fields entry = new Fields(node, List.of("key", "value"), subject, report);
            entry.required("key").ifPresent(key -> {
                if (data.containsKey(key)) {
                    entry.problem("key", "job data key \"" + key + "\" is given twice", "keep one");
                }
                data.put(key, entry.text("value").orElse(null));
                dataPlaces.put(key, node.place());
            });
        }
        return data;
    }

    /** Where each entry that {@link #data} gave stands. */
    Map<String, String> dataPlaces() {
        return Map.copyOf(dataPlaces);
    }

    /** A field that cannot be read: what is wrong, and what to do. Never leaves {@link #read}. */
    static final class BadField extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final Code code;
        private final String what;
        private final String remedy;

        BadField(String what, String remedy) {
            this(Code.INVALID, what, remedy);
        }

        BadField(Code code, String what, String remedy) {
            super(what);
            this.code = code;
            this.what = what;
            this.remedy = remedy;
        }

        Code code() {
            return code;
        }

        String what() {
            return what;
        }

        String remedy() {
            return remedy;
        }
    }
}
