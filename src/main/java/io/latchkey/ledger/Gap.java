package io.latchkey.ledger;

/** Why a slot that is due has not run yet. */
public enum Gap {
    /** Nobody led: the misfire instruction decides what is past the threshold. */
    MISSED("missed"),
    /** Its trigger or job was paused: decided in the same way, and said. */
    PAUSED("missed while paused"),
    /** A leader with an open gate waited, for a thread or for the job's own last run: never a miss. */
    LATE("late");

    private final String words;

    Gap(String words) {
        this.words = words;
    }

    @Override
    public String toString() {
        return words;
    }
}
