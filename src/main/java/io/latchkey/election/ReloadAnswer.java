package io.latchkey.election;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * What became of an instance's last reload of its conf directory.
 *
 * @param call the number of the call it answers; 0 if the files were found to have changed
 * @param outcome {@link #APPLIED}, {@link #UNCHANGED} or {@link #REFUSED}
 * @param lines why it was refused, each problem a line; or what is worth knowing otherwise
 * @param at when, by its clock
 */
public record ReloadAnswer(long call, String outcome, List<String> lines, Instant at) {
    public static final String APPLIED = "applied";
    public static final String UNCHANGED = "unchanged";
    public static final String REFUSED = "refused";

    /** More is in the instance's log: its node is to stay small. */
    private static final int MOST_LINES = 20;

    private static final int LONGEST_LINE = 300;

    /** A record read from a node someone edited may lack anything: that is malformed, not null later on. */
    public ReloadAnswer {
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(at, "at");
        lines = List.copyOf(lines);
    }

    /** An answer that fits into an instance's node, whatever there is to say. */
    public static ReloadAnswer of(long call, String outcome, List<String> all, Instant at) {
        List<String> lines = new java.util.ArrayList<>(all.stream()
                .limit(MOST_LINES)
                .map(line -> line.length() <= LONGEST_LINE ? line : line.substring(0, LONGEST_LINE) + "...")
                .toList());
        if (all.size() > MOST_LINES) {
            lines.add("and " + (all.size() - MOST_LINES) + " more: see its log");
        }
        return new ReloadAnswer(call, outcome, lines, at);
    }

    public boolean refused() {
        return outcome.equals(REFUSED);
    }
}
