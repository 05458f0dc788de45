package io.latchkey.drill;

import org.quartz.DisallowConcurrentExecution;

/** A drill job whose runs must not overlap. */
@DisallowConcurrentExecution
public final class DrillSingleJob extends DrillJob {
    /** Made by Quartz, one for each run. */
    public DrillSingleJob() {}
}
