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
 * @param asked what operators asked for
 * @param terms the last terms, the oldest first
 * @param histories each job's outcomes, oldest first, those not folded yet included
 * @param versions of its parts, by their names: a part's version changes when something in it does
 */
public record LedgerSnapshot(
        List<Cursor> cursors,
        List<RunningRecord> running,
        Set<String> live,
        Asked asked,
        List<PastTerm> terms,
        Map<JobKey, List<HistoryEntry>> histories,
        Map<String, String> versions) {
    /**
     * What operators asked for.
     *
     * @param paused what they paused
     * @param waiting the requests that wait for it, in order
     * @param audit what operators asked for and what became of it, the oldest first
     */
    public record Asked(Paused paused, List<Request> waiting, List<AuditRecord> audit) {
        public Asked {
            waiting = List.copyOf(waiting);
            audit = List.copyOf(audit);
        }
    }

    public LedgerSnapshot {
        cursors = List.copyOf(cursors);
        running = List.copyOf(running);
        live = Set.copyOf(live);
        terms = List.copyOf(terms);
        versions = Map.copyOf(versions);
    }
}
