package io.latchkey.ledger;

import java.time.DateTimeException;
import java.time.Instant;
import org.quartz.TriggerKey;

/**
 * The name of one due execution of one trigger: the trigger's key and the slot's instant. The same fire keeps its id
 * through every attempt and every leader.
 *
 * @param trigger the trigger that is due
 * @param slot when it is due
 */
public record FireId(TriggerKey trigger, Instant slot) {

    /**
     * The readable form, {@code group.name@instant}, for example {@code ops.tick-2s@2026-11-29T12:00:00Z}; what would
     * make it ambiguous is percent-encoded, so that {@link #parse} gives the same id back. Also the name of its znode.
     */
    @Override
    public String toString() {
        return KeyText.of(trigger) + '@' + slot;
    }

    /**
     * Reads what {@link #toString} wrote.
     *
     * @throws IllegalArgumentException when the text is no fire id
     */
    public static FireId parse(String text) {
        int at = text.lastIndexOf('@');
        if (at < 0) {
            throw new IllegalArgumentException("not a fire id, no '@' in it: " + text);
        }
        try {
            return new FireId(KeyText.trigger(text.substring(0, at)), Instant.parse(text.substring(at + 1)));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("not a fire id, no instant after the '@': " + text, e);
        }
    }
}
