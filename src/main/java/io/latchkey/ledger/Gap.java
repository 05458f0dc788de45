package io.latchkey.ledger;

/** Why a slot that is due has not run yet. */
public enum Gap {
    /** Nobody led, or its trigger was paused: the misfire instruction decides what is past the threshold. */
    MISSED,
    /** A leader with an open gate waited, for a thread or for the job's own last run: never a miss. */
    LATE
}
