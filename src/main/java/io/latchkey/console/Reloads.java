package io.latchkey.console;

import io.latchkey.election.Time;
import io.latchkey.ledger.AuditRecord;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.LedgerReader;
import io.latchkey.ledger.ReloadCalls;
import io.latchkey.ledger.ReloadResult;
import io.latchkey.ledger.Request;
import io.latchkey.view.ActionView;
import io.latchkey.view.ClusterReader;
import io.latchkey.view.ReloadView;
import io.latchkey.zookeeper.NotConnectedException;
import java.util.List;
import java.util.Optional;

/**
 * Calls to reload, which no leader answers but every instance. Once all have, that is put on record by whoever sees it
 * first: a look at a call is enough. Blocks; any thread.
 */
final class Reloads {
    private final Sources sources;
    private final ReloadCalls calls;
    private final Time time;

    Reloads(Sources sources, Time time) {
        this.sources = sources;
        this.calls = new ReloadCalls(sources.nodes(), sources.sessions(), time.clock());
        this.time = time;
    }

    /** Calls all instances, or tells of the call that the key made before. */
    AuditRecord file(Request request, Optional<String> key) throws LedgerException {
        return calls.file(request, key);
    }

    /** How a call stands; empty for a name that is no call's. */
    Optional<ActionView> read(String id) throws LedgerException, NotConnectedException {
        Optional<AuditRecord> record =
                new LedgerReader(sources.nodes(), sources.sessions().current()).audit(id);
        Long call = record.map(AuditRecord::call).orElse(null);
        if (record.isEmpty() || call == null) {
            return Optional.empty();
        }
        if (record.get().answer() != null) {
            return Optional.of(ActionView.answered(record.get()));
        }
        List<ReloadResult> now = ReloadView.results(
                new ClusterReader(sources.nodes(), sources.sessions().current(), sources.connect(), sources.embedded())
                        .read(),
                call);
        if (!ReloadView.settled(now)) {
            return Optional.of(ActionView.reloading(record.get(), now));
        }
        AuditRecord.Answer answer = ReloadView.answer(now, sources.self().id(), time.now());
        return Optional.of(ActionView.answered(calls.answered(record.get(), answer)));
    }
}
