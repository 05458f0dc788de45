package io.latchkey.jobs;

import org.quartz.Trigger;

/**
 * What becomes of slots that were missed: those that came due while nobody led, or longer ago than the misfire threshold.
 * Quartz's instructions are folded onto these three.
 */
public enum Misfire {
    /** One run stands for all that were missed; it sees the latest missed slot as its scheduled time. */
    ONCE,
    /** Missed slots are not run; the next one to come is. */
    NOTHING,
    /** Every missed slot is run, in order. */
    ALL;

    /** The instruction for a Quartz trigger, whose own misfire handling is switched off: only ALL differs there. */
    int quartzInstruction() {
        return this == ALL
                ? Trigger.MISFIRE_INSTRUCTION_IGNORE_MISFIRE_POLICY
                : Trigger.MISFIRE_INSTRUCTION_SMART_POLICY;
    }
}
