package io.latchkey.jobs.data;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A set of numbers as people write it: {@code 0,3,10-19}, and for HTTP {@code 2xx}. Immutable. */
public final class Numbers {
    private static final Pattern PART = Pattern.compile("(\\d{1,4})(?:\\s*-\\s*(\\d{1,4}))?");
    private static final Pattern HUNDRED = Pattern.compile("([1-9])xx");

    private record Span(int from, int to) {
        @Override
        public String toString() {
            return from == to ? Integer.toString(from) : from + "-" + to;
        }
    }

    private final List<Span> spans;

    private Numbers(List<Span> spans) {
        this.spans = List.copyOf(spans);
    }

    /**
     * Reads numbers and ranges between commas.
     *
     * @throws IllegalArgumentException with what is wrong, a colon, and the remedy
     */
    public static Numbers parse(String text, int min, int max) {
        List<Span> spans = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            Span span = span(part.strip().toLowerCase(Locale.ROOT));
            if (span == null) {
                throw new IllegalArgumentException("has \"" + part.strip()
                        + "\", no number and no range: write numbers with commas between, such as "
                        + (min >= 100 ? "200,204, a range 200-299, or 2xx" : "0,3, or a range 10-19"));
            }
            if (span.from() > span.to() || span.from() < min || span.to() > max) {
                throw new IllegalArgumentException(
                        "has \"" + part.strip() + "\": write numbers from " + min + " to " + max + ", the lower first");
            }
            spans.add(span);
        }
        return new Numbers(spans);
    }

    private static @Nullable Span span(String part) {
        Matcher hundred = HUNDRED.matcher(part);
        if (hundred.matches()) {
            int first = 100 * Integer.parseInt(hundred.group(1));
            return new Span(first, first + 99);
        }
        Matcher plain = PART.matcher(part);
        if (!plain.matches()) {
            return null;
        }
        int from = Integer.parseInt(plain.group(1));
        return new Span(from, plain.group(2) == null ? from : Integer.parseInt(plain.group(2)));
    }

    public boolean contains(int number) {
        return spans.stream().anyMatch(span -> span.from() <= number && number <= span.to());
    }

    @Override
    public String toString() {
        return spans.stream().map(Span::toString).collect(Collectors.joining(","));
    }
}
