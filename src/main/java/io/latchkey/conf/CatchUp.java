package io.latchkey.conf;

/** What a new leader does with what came due while nobody led. */
public enum CatchUp {
    /** Runs it, as each trigger's misfire instruction says. */
    RUN,
    /** Waits for an operator to look first. */
    HOLD
}
