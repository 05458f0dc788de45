package io.latchkey.conf;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds what somebody meant to write. */
public final class Suggestions {
    private static final int MAX_CHANGES = 5;

    private Suggestions() {}

    /**
     * The known word nearest to a misspelled one, by edit distance without regard to case; empty if none is near: more
     * than a third of its letters, or more than five, would have to change. Of equally near ones, the first.
     */
    public static Optional<String> nearest(String word, Collection<String> known) {
        String wanted = word.toLowerCase(Locale.ROOT);
        String best = null;
        int bestDistance = Integer.MAX_VALUE;
        for (String candidate : known) {
            int limit = Math.max(1, Math.min(MAX_CHANGES, Math.max(wanted.length(), candidate.length()) / 3));
            if (Math.abs(wanted.length() - candidate.length()) > limit) {
                continue;
            }
            int distance = distance(wanted, candidate.toLowerCase(Locale.ROOT));
            if (distance <= limit && distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return Optional.ofNullable(best);
    }

    /** The remedy to show: {@code did you mean "x"?}, or the text given if nothing is near. */
    public static String didYouMean(String word, Collection<String> known, String otherwise) {
        return nearest(word, known)
                .map(near -> "did you mean \"" + near + "\"?")
                .orElse(otherwise);
    }

    /** Letters to insert, remove, change or swap with their neighbour. */
    private static int distance(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            cost[i][0] = i;
        }
        for (int j = 0; j <= b.length(); j++) {
            cost[0][j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            for (int j = 1; j <= b.length(); j++) {
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                int least = Math.min(cost[i - 1][j - 1] + change, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    least = Math.min(least, cost[i - 2][j - 2] + 1);
                }
                cost[i][j] = least;
            }
        }
        return cost[a.length()][b.length()];
    }
}
