package io.latchkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.latchkey.cli.TextTable.Cell;
import io.latchkey.ledger.HistoryEntry;
import io.latchkey.ledger.KeyText;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.Outcome;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.view.OutcomeView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "history",
        description = "Show what became of past fires, the newest last, as ZooKeeper has it, without a leader too.")
final class HistoryCommand extends OperatorCommand {
    @Parameters(arity = "0..1", paramLabel = "JOB", description = "Of this job alone: group.name, or its name.")
    private @Nullable String job;

    @Option(
            names = {"-n", "--lines"},
            paramLabel = "N",
            defaultValue = "20",
            description = "How many outcomes at most (default: 20; 0: all that are kept).")
    private int lines;

    @Option(names = "--json", description = "The same as JSON.")
    private boolean json;

    /** The fields of {@code history --json}. */
    record View(List<OutcomeView> outcomes) {}

    @Override
    void checkUsage() throws CliException {
        if (lines < 0) {
            throw new CliException(ExitCode.CONFIG, "-n " + lines + ": give 0 for all, or how many");
        }
    }

    @Override
    ExitCode run(OperatorLedger ledger)
            throws CliException, LedgerException, JsonProcessingException, InterruptedException {
        ledger.requireRoot();
        List<Line> found = outcomes(ledger);
        List<Line> shown = lines == 0 ? found : found.subList(Math.max(0, found.size() - lines), found.size());
        if (json) {
            printJson(new View(shown.stream().map(Line::outcome).toList()));
        } else if (shown.isEmpty()) {
            out().println("No outcomes yet.");
        } else {
            print(shown, ledger.now());
        }
        return ExitCode.OK;
    }

    /** An outcome and whose it is. */
    private record Line(JobKey job, HistoryEntry entry, OutcomeView outcome) {}

    private List<Line> outcomes(OperatorLedger ledger) throws CliException, LedgerException {
        Map<JobKey, List<HistoryEntry>> all = ledger.reader().histories();
        if (job != null) {
            JobKey key = JobArgument.ofLedger(ledger, job);
            all = Map.of(key, all.getOrDefault(key, List.of()));
        }
        List<Line> found = new ArrayList<>();
        all.forEach((key, entries) ->
                entries.forEach(entry -> found.add(new Line(key, entry, OutcomeView.of(key, entry)))));
        found.sort(Comparator.comparing((Line line) -> line.outcome().at()));
        return found;
    }

    private void print(List<Line> shown, Instant now) {
        TextTable table =
                new TextTable("ended", "", "job", "outcome", "slot", "trigger", "attempt", "instance", "took", "");
        for (Line line : shown) {
            OutcomeView outcome = line.outcome();
            boolean ran = outcome.kind() == Outcome.Kind.SUCCEEDED
                    || outcome.kind() == Outcome.Kind.FAILED
                    || outcome.kind() == Outcome.Kind.INTERRUPTED;
            table.add(
                    Cell.of(Times.at(outcome.at())),
                    new Cell(Times.distance(outcome.at(), now), Tint.FAINT),
                    Cell.of(Printable.name(line.job())),
                    OutcomeText.kind(outcome, ""),
                    Cell.of(outcome.slot()),
                    Cell.of(trigger(line)),
                    Cell.of(outcome.attempt()),
                    Cell.of(Printable.text(outcome.instance())),
                    ran ? Cell.of(Times.took(Duration.ofMillis(outcome.ranMillis()))) : Cell.NONE,
                    Cell.of(OutcomeText.note(outcome)));
        }
        table.print(out(), Tint.wanted());
    }

    /** A requested fire has no trigger of the configuration. */
    private static String trigger(Line line) {
        return line.entry().id().trigger().getGroup().equals(io.latchkey.ledger.Request.GROUP)
                        && line.entry().id().trigger().getName().startsWith(KeyText.of(line.job()) + "#")
                ? "(requested)"
                : Printable.name(line.entry().id().trigger());
    }
}
