package io.latchkey.ledger;

import io.latchkey.election.Gate;
import io.latchkey.election.Lease;
import io.latchkey.election.Tenure;
import io.latchkey.election.Term;
import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.ZNodes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.quartz.JobKey;

/** The contract, in memory. */
class InMemoryFireLedgerTest extends FireLedgerContract {
    private final InMemoryFireLedger ledger = new InMemoryFireLedger(Clock.systemUTC());
    private long terms;

    @Override
    FireLedger ledger() {
        return ledger;
    }

    @Override
    Term takeTerm() {
        Term term = term(++terms);
        ledger.open(term);
        return term;
    }

    /** A term without a session: nothing in memory asks for one. */
    @SuppressWarnings("NullAway") // See above.
    static Term term(long number) {
        Session none = null;
        Lease lease = new Lease(Duration.ofHours(1), Clock.systemUTC(), System::nanoTime);
        lease.confirmedWrite(System.nanoTime());
        Tenure tenure = new Tenure(number, number * 100, 1, "/latchkey/latch/x", "one", Instant.now());
        Term term = new Term(tenure, new ZNodes("/latchkey"), none, new Gate(), lease, why -> {});
        term.gate().open();
        return term;
    }

    @Override
    void deleteCursorByHand(String name) {
        ledger.deleteCursor(Fires.trigger(name));
    }

    @Override
    void deleteRecordByHand(FireId id) {
        ledger.deleteRecord(id);
    }

    @Override
    List<HistoryEntry> history(JobKey job) {
        return ledger.history(job);
    }
}
