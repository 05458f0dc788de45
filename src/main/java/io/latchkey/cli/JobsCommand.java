package io.latchkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.latchkey.ledger.LedgerException;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.view.ClusterView;
import io.latchkey.view.JobsView;
import java.util.List;
import org.quartz.JobKey;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "jobs",
        description = "Show each job: when its triggers fire next, how it ended last, where it runs and since when, and"
                + " whether it is paused; as ZooKeeper has it, without a leader too.")
final class JobsCommand extends OperatorCommand {
    @Option(names = "--json", description = "The same as JSON.")
    private boolean json;

    @Override
    ExitCode run(OperatorLedger ledger)
            throws CliException, LedgerException, JsonProcessingException, InterruptedException {
        ledger.requireRoot();
        JobsView view = read(ledger);
        if (json) {
            printJson(view);
        } else {
            JobsText.print(view, ledger.now(), ledger.settings().scheduler(), out());
        }
        return ExitCode.OK;
    }

    private static JobsView read(OperatorLedger ledger) throws CliException, LedgerException, InterruptedException {
        String leader = ledger.cluster()
                .currentLeader()
                .map(ClusterView.Leader::instance)
                .orElse(null);
        List<JobKey> withoutTriggers = JobArgument.withoutTriggers(ledger);
        return JobsView.read(ledger.reader(), leader, withoutTriggers);
    }
}
