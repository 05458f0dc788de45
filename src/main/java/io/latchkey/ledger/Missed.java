package io.latchkey.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a run is told about slots that were not run in time.
 *
 * @param count how many due slots this run stands for, itself included; 1 for an ordinary run
 * @param first the oldest of them; null for an ordinary run
 * @param catchUp whether the slot came due while nobody led and is run now by the trigger's misfire instruction
 */
public record Missed(long count, @Nullable Instant first, boolean catchUp) {
    /** An ordinary run: stands for itself alone. */
    public static final Missed NONE = new Missed(1, null, false);
}
