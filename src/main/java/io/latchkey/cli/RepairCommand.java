package io.latchkey.cli;

import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.Repair;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.view.ClusterView;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "repair",
        description =
                "Put /leader back after it was deleted, or raise the floor of the fencing tokens after the ensemble"
                        + " was wiped or restored from a backup. Only while all instances are stopped.")
final class RepairCommand extends OperatorCommand {
    @Option(
            names = "--token-floor",
            paramLabel = "N",
            description = "Fencing tokens are to rise above this: the highest that any system you write to has seen.")
    private @Nullable Long floor;

    @Override
    void checkUsage() throws CliException {
        if (floor != null && floor < 0) {
            throw new CliException(ExitCode.CONFIG, "--token-floor " + floor + ": fencing tokens are not negative");
        }
    }

    @Override
    ExitCode run(OperatorLedger ledger) throws CliException, LedgerException, InterruptedException {
        if (floor == null) {
            // With a floor it may be an ensemble that lost everything.
            ledger.requireRoot();
        }
        Repair.Result result = new Repair(ledger.session(), ledger.nodes(), ledger.clock())
                .repair(floor == null ? OptionalLong.empty() : OptionalLong.of(floor));
        if (result instanceof Repair.Result.Candidates candidates) {
            throw new CliException(ExitCode.NO, refusal(ledger, candidates.count()));
        }
        if (result instanceof Repair.Result.Repaired repaired) {
            out().println((repaired.created()
                            ? "Put " + ledger.nodes().leader() + " back: "
                            : "Raised the floor of the fencing tokens: ")
                    + "the next term's token is above " + repaired.floor() + ". Start the instances again.");
        } else if (result instanceof Repair.Result.Nothing nothing) {
            out().println("Nothing to repair: " + nothing.why());
        }
        return ExitCode.OK;
    }

    private static String refusal(OperatorLedger ledger, int count) throws CliException, InterruptedException {
        List<ClusterView.Instance> instances = ledger.cluster().instances();
        String who = instances.stream()
                .filter(instance -> instance.place() != null)
                .map(instance -> Printable.text(instance.id()))
                .collect(Collectors.joining(", "));
        return (count == 1 ? "1 instance is a candidate" : count + " instances are candidates")
                + (who.isEmpty() ? "" : " (" + who + ")")
                + ": a claim of theirs could pass a repaired /leader. Stop every instance (`latchkey stop`), repair, and"
                + " start them again";
    }
}
