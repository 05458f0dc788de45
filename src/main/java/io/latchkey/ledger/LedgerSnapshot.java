package io.latchkey.ledger;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.quartz.JobKey;

/**
 * The whole ledger as it was read at one moment. Immutable.
 *
 * @param cursors of all triggers
 * @param running fires without an outcome, oldest claim first
 * @param live the incarnations that lived after the running records were read
 * @param paused what operators paused
 * @param requests those that wait for a leader, in order
 * @param histories each job's outcomes, oldest first, those not folded yet included
 * @param versions of its parts, by their names: a part's version changes when something in it does
 */
public record LedgerSnapshot(
        List<Cursor> cursors,
        List<RunningRecord> running,
        Set<String> live,
        Paused paused,
        List<Request> requests,
        Map<JobKey, List<HistoryEntry>> histories,
        Map<String, String> versions) {
    public LedgerSnapshot {
        cursors = List.copyOf(cursors);
        running = List.copyOf(running);
        live = Set.copyOf(live);
        requests = List.copyOf(requests);
        versions = Map.copyOf(versions);
    }
}
