package io.latchkey.ledger;

import java.util.Map;

/**
 * What a later leader must know of a claimed fire to decide it without its configuration.
 *
 * @param recover whether the job asks to be run again when its instance dies
 * @param nonConcurrent whether two runs of the job must not overlap
 * @param missed what the run is told about missed slots
 * @param data extra job data of a requested fire; empty for a scheduled one
 */
public record RunInfo(boolean recover, boolean nonConcurrent, Missed missed, Map<String, String> data) {
    public RunInfo {
        data = Map.copyOf(data);
    }
}
