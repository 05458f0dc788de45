package io.latchkey.conf;

import java.util.List;
import java.util.stream.Collectors;

/** The configuration cannot be used. Carries every problem found, in the order to show them; never empty. */
public final class ConfException extends Exception {
    // Problem is not Serializable, and nobody sends this exception anywhere.
    private final transient List<Problem> problems;

    public ConfException(List<Problem> problems) {
        super(report(problems));
        this.problems = List.copyOf(problems);
    }

    /** All problems found. */
    public List<Problem> problems() {
        return problems;
    }

    private static String report(List<Problem> problems) {
        if (problems.isEmpty()) {
            throw new IllegalArgumentException("No problem to report");
        }
        String head = problems.size() == 1
                ? "1 problem in the configuration:"
                : problems.size() + " problems in the configuration:";
        return problems.stream().map(problem -> "\n  " + problem).collect(Collectors.joining("", head, ""));
    }
}
