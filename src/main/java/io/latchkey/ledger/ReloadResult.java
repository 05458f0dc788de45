package io.latchkey.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a call to reload on one instance.
 *
 * @param instance its id
 * @param outcome as the instance answered: applied, unchanged or refused; {@link #NO_ANSWER} where it has not yet
 * @param conf digest of what is in force there, null if unknown
 * @param lines why it was refused, each problem a line; or what is worth knowing otherwise
 */
public record ReloadResult(
        String instance, String outcome, @Nullable String conf, List<String> lines) {
    /** It reloads as soon as it can. */
    public static final String NO_ANSWER = "no answer";

    /** The rest is in the instance's log: a record is to stay small, however many instances there are. */
    private static final int MOST_LINES = 2;

    public ReloadResult {
        lines = List.copyOf(lines);
    }

    /** Whether the instance has answered. */
    public boolean answered() {
        return !outcome.equals(NO_ANSWER);
    }

    ReloadResult brief() {
        return new ReloadResult(instance, outcome, conf, lines.subList(0, Math.min(MOST_LINES, lines.size())));
    }
}
