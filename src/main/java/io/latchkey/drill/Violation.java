package io.latchkey.drill;

import java.time.Instant;

/**
 * Something that must not happen, and did.
 *
 * @param kind which promise was broken
 * @param at when
 * @param text what was seen
 */
record Violation(Kind kind, Instant at, String text) {
    /** The promises. */
    enum Kind {
        /** An attempt started twice, a fire ended twice, or a slot that is none was run. */
        DUPLICATE,
        /** A due fire that has no outcome. */
        LOST,
        /** Skipped or abandoned without a reason. */
        UNEXPLAINED,
        /** Run again while its owner lived. */
        RECOVERY,
        /** Terms or tokens that fell, or a start under an old token. */
        TOKEN,
        /** Runs of a non-concurrent job at the same time. */
        OVERLAP,
        /** A start by one that was cut off. */
        CUT,
        /** A takeover that took too long. */
        SLOW,
        /** The drill itself: the service did not come back, a process ended by itself, a fault that never bit. */
        DRILL
    }
}
