package io.latchkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.Request;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.view.ClusterView;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;

@Command(
        name = "resign",
        description = "Ask the leader to hand over to the next in the latch; its running jobs end where they are.")
final class ResignCommand extends RequestCommand {
    @Override
    ExitCode run(OperatorLedger ledger)
            throws CliException, LedgerException, JsonProcessingException, InterruptedException {
        ledger.requireRoot();
        // Kept for a leader to come, the request would take the lead from one that nobody meant.
        ClusterView.Leader leader = ledger.cluster()
                .currentLeader()
                .orElseThrow(() -> new CliException(ExitCode.NO, "nobody leads: there is nobody to resign"));
        String name = Printable.text(leader.instance());
        Request filed = file(ledger, new Request("", Request.Kind.RESIGN, null, null, Map.of(), asker(), ledger.now()));
        say("Filed: " + name + " is to resign");
        if (!awaitAnswer(ledger, filed) && ledger.requests().withdraw(filed.seq(), asker())) {
            throw new CliException(
                    ExitCode.NO, name + " did not answer in time; the request is withdrawn. See its log");
        }
        boolean led = await(() -> next(ledger, leader).isPresent());
        Optional<ClusterView.Leader> next = next(ledger, leader);
        if (!led || next.isEmpty()) {
            say(name + " agreed; nobody leads yet. `latchkey status` shows who does.");
        } else if (next.get().instance().equals(leader.instance())) {
            say(name + " agreed, and leads again with term " + next.get().term() + ": there was nobody else.");
        } else {
            say(Printable.text(next.get().instance()) + " leads now, term "
                    + next.get().term() + ".");
        }
        return end(ledger, filed, ExitCode.OK);
    }

    private static Optional<ClusterView.Leader> next(OperatorLedger ledger, ClusterView.Leader before)
            throws CliException, InterruptedException {
        return ledger.cluster().currentLeader().filter(leader -> leader.term() != before.term());
    }
}
