package io.latchkey.ledger;

import java.time.Duration;

/**
 * What the planner is told besides the trigger.
 *
 * @param misfireThreshold how late a slot may be and still be run as if nothing had been
 * @param catchUpLimit how many missed slots of one trigger are replayed at most where its instruction is to run all
 */
public record PlannerSettings(Duration misfireThreshold, int catchUpLimit) {
    public PlannerSettings {
        if (misfireThreshold.isNegative() || catchUpLimit < 1) {
            throw new IllegalArgumentException(
                    "misfire threshold " + misfireThreshold + ", catch-up limit " + catchUpLimit);
        }
    }
}
