package io.latchkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.LedgerReader;
import io.latchkey.ledger.Paused;
import io.latchkey.lifecycle.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
        JobsView view = read(ledger);
        if (json) {
            printJson(view);
        } else if (!ledger.hasRoot()) {
            out().println(ledger.noRoot());
        } else {
            JobsText.print(view, ledger.now(), ledger.settings().scheduler(), out());
        }
        return ExitCode.OK;
    }

    private static JobsView read(OperatorLedger ledger) throws CliException, LedgerException, InterruptedException {
        LedgerReader reader = ledger.reader();
        Paused paused = reader.paused();
        List<LedgerReader.JobStatus> known = reader.jobs();
        // After the records: an instance that came meanwhile must not look gone.
        Set<String> live = reader.liveIncarnations();
        List<JobsView.Job> jobs = new ArrayList<>();
        known.forEach(status -> jobs.add(JobsView.Job.of(status, paused, live)));
        String leader = ledger.cluster()
                .currentLeader()
                .map(ClusterView.Leader::instance)
                .orElse(null);
        return new JobsView(leader, paused.all(), reader.requests().size(), jobs);
    }
}
