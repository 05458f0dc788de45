package io.latchkey.ledger;

import java.util.Map;
import org.quartz.TriggerKey;

/** What became of {@link TermLedger#write}. */
public sealed interface WriteResult {
    /**
     * The writes stand, but for those that failed by themselves.
     *
     * @param failed why, by trigger: changed by someone else's hand, too large, a name too long
     */
    record Written(Map<TriggerKey, String> failed) implements WriteResult {}

    /** The term is over. What came before the refused transaction stands. */
    record Fenced(String reason) implements WriteResult {}

    /** Not known whether it stands; the session is gone or does not answer. The term cannot go on. */
    record GivenUp(String why) implements WriteResult {
        @Override
        public String toString() {
            return "not known to be written: " + why;
        }
    }
}
