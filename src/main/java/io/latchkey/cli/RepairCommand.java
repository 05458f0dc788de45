package io.latchkey.cli;

import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.Repair;
import io.latchkey.lifecycle.ExitCode;
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
        if (result instanceof Repair.Result.Instances instances) {
            throw new CliException(ExitCode.NO, refusal(instances.who()));
        }
        if (result instanceof Repair.Result.Repaired repaired) {
            out().println((repaired.created()
                            ? "Put " + ledger.nodes().leader() + " back. "
                            : "Raised the floor of the fencing tokens. ")
                    + "The next leader takes term " + repaired.nextTerm() + ", and its fencing token is "
                    + repaired.nextToken() + " or higher. Start the instances again.");
            if (floor == null && repaired.nextTerm() == 1) {
                out().println("Nothing here tells of an earlier term. If there was one, in an ensemble that was"
                        + " wiped or replaced, run this again with --token-floor and the highest token"
                        + " that any system you write to has seen.");
            }
        } else if (result instanceof Repair.Result.Nothing nothing) {
            out().println("Nothing to repair: " + ledger.nodes().leader()
                    + " is there, and the last term's fencing token " + nothing.token()
                    + (floor == null ? " is known." : " is no lower than asked for."));
        }
        return ExitCode.OK;
    }

    private static String refusal(List<String> who) {
        String names = who.stream().map(Printable::text).collect(Collectors.joining(", "));
        return (who.size() == 1 ? "1 instance is running (" : who.size() + " instances are running (") + names
                + "), as a candidate or blocked: what it still has under way could pass a repaired /leader. Stop every"
                + " instance (`latchkey stop`), repair, and start them again. One that was killed is gone from here"
                + " within its session timeout";
    }
}
