package io.latchkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.latchkey.ledger.LedgerException;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.view.ClusterView;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "instances",
        description = "Show every instance: its place in the latch, its role, where it runs, and its console.")
final class InstancesCommand extends OperatorCommand {
    @Option(names = "--json", description = "The same as JSON.")
    private boolean json;

    /** The fields of {@code instances --json}. */
    private record View(List<ClusterView.Instance> instances) {}

    @Override
    ExitCode run(OperatorLedger ledger)
            throws CliException, LedgerException, JsonProcessingException, InterruptedException {
        ledger.requireRoot();
        ClusterView view = ledger.cluster();
        if (json) {
            printJson(new View(view.instances()));
        } else if (view.instances().isEmpty()) {
            out().println("No instance is there.");
        } else {
            StatusText.table(view, out());
        }
        return ExitCode.OK;
    }
}
