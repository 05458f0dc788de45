package io.latchkey.ledger;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/**
 * What a new term finds.
 *
 * @param cursors by trigger
 * @param malformed why a trigger's cursor cannot be read, by trigger; it is scheduled anew, the others are untouched
 * @param running the running records, DONE ones included
 * @param live the incarnations (session ids in hex) that are alive
 * @param paused what operators paused
 * @param jobData persisted job data, by job
 * @param requests in the order they were made
 */
public record LedgerState(
        Map<TriggerKey, Cursor> cursors,
        Map<TriggerKey, String> malformed,
        List<Held> running,
        Set<String> live,
        Paused paused,
        Map<JobKey, Map<String, @Nullable Object>> jobData,
        List<Request> requests) {
    /** Nothing but these. */
    public static LedgerState ofCursors(Map<TriggerKey, Cursor> cursors) {
        return new LedgerState(cursors, Map.of(), List.of(), Set.of(), Paused.NOTHING, Map.of(), List.of());
    }
}
