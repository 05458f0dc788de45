package io.latchkey.jobs.http;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text with references to secrets: {@code ${env:NAME}} for a variable of the service's environment, {@code ${file:/path}}
 * for the content of a file, without line ends at its end. A doubled dollar sign before a brace stands for a plain one. It
 * shows itself with its references, never with what they stand for. Immutable.
 */
public final class Template {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\$\\{|\\$\\{(?:(env|file):([^{}\\r\\n]+)})?");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private sealed interface Part {}

    private record Plain(String text) implements Part {}

    private record Reference(Kind kind, String name) implements Part {}

    enum Kind {
        ENV,
        FILE
    }

    private final String source;
    private final List<Part> parts;

    private Template(String source, List<Part> parts) {
        this.source = source;
        this.parts = List.copyOf(parts);
    }

    /**
     * Reads a text with references.
     *
     * @throws IllegalArgumentException if a reference is none; the message is what is wrong, a colon, and the remedy
     */
    public static Template parse(String text) {
        List<Part> parts = new ArrayList<>();
        Matcher matcher = REFERENCE.matcher(text);
        int at = 0;
        while (matcher.find()) {
            parts.add(new Plain(text.substring(at, matcher.start())));
            at = matcher.end();
            if (matcher.group().startsWith("$$")) {
                parts.add(new Plain("${"));
            } else if (matcher.group(1) == null) {
                throw new IllegalArgumentException("has a \"${\" that begins no reference: write ${env:NAME},"
                        + " ${file:/path}, or $${ for the two characters themselves");
            } else {
                parts.add(reference(matcher.group(1), matcher.group(2).strip()));
            }
        }
        parts.add(new Plain(text.substring(at)));
        return new Template(text, parts);
    }

    private static Reference reference(String kind, String name) {
        if (kind.equals("env")) {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "refers to \"" + name + "\", no name of a variable: write letters, digits and underscores");
            }
            return new Reference(Kind.ENV, name);
        }
        boolean absolute;
        try {
            absolute = Path.of(name).isAbsolute();
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("refers to a file whose path is none: correct it", e);
        }
        if (!absolute) {
            throw new IllegalArgumentException(
                    "refers to the file \"" + name + "\": write its absolute path, beginning with /");
        }
        return new Reference(Kind.FILE, name);
    }

    /** A text without references, whatever it holds. */
    static Template plain(String text) {
        return new Template(text.replace("${", "$${"), List.of(new Plain(text)));
    }

    boolean refers() {
        return parts.stream().anyMatch(Reference.class::isInstance);
    }

    /** Whether it begins with a reference. */
    boolean beginsWithReference() {
        return parts.stream()
                        .filter(part -> !part.equals(new Plain("")))
                        .findFirst()
                        .orElse(new Plain(""))
                instanceof Reference;
    }

    /** The text with a word in place of each reference, to look at its form. */
    String with(String word) {
        StringBuilder text = new StringBuilder();
        parts.forEach(part -> text.append(part instanceof Plain plain ? plain.text() : word));
        return text.toString();
    }

    /**
     * The text itself, with its secrets.
     *
     * @throws HttpCallException if a reference leads nowhere; the message names it
     */
    String resolve(Secrets secrets) throws HttpCallException {
        return resolve(secrets, UnaryOperator.identity());
    }

    /** The same; what is referred to goes through {@code encode}, unless the text begins with it. */
    String resolve(Secrets secrets, UnaryOperator<String> encode) throws HttpCallException {
        StringBuilder text = new StringBuilder();
        for (Part part : parts) {
            if (part instanceof Plain plain) {
                text.append(plain.text());
            } else if (part instanceof Reference reference) {
                String secret = secrets.get(reference.kind(), reference.name());
                text.append(text.isEmpty() ? secret : encode.apply(secret));
            }
        }
        return text.toString();
    }

    /** With its references, as it was written. */
    @Override
    public String toString() {
        return source;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Template template && template.source.equals(source);
    }

    @Override
    public int hashCode() {
        return source.hashCode();
    }
}
