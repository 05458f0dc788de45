package io.latchkey.election;

/** Why a term's worker is told to stop. The gate is closed already in each case. */
public enum StopReason {
    /** Planned: {@code resign} or close. Claims in flight may settle; running jobs finish here. */
    HANDOVER,
    /** The term is over for a cause outside: connection, latch, refused write, lease. */
    LOST,
    /** The worker failed: it could not load, or said it is unhealthy. */
    FAILED
}
