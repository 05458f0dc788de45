package io.latchkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.latchkey.cli.TextTable.Cell;
import io.latchkey.ledger.LedgerException;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.view.ActionView;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "audit",
        description = "Show what operators asked for, here or over HTTP: who, when, and what became of it; the newest"
                + " last.")
final class AuditCommand extends OperatorCommand {
    @Option(
            names = {"-n", "--lines"},
            paramLabel = "N",
            defaultValue = "20",
            description = "How many at most (default: 20; 0: all that are kept).")
    private int lines;

    @Option(names = "--json", description = "The same as JSON.")
    private boolean json;

    /** The fields of {@code audit --json}. */
    private record View(List<ActionView> actions) {}

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
        List<ActionView> all = ActionView.readAll(ledger.reader());
        List<ActionView> shown = lines == 0 ? all : all.subList(0, Math.min(lines, all.size()));
        if (json) {
            printJson(new View(shown));
        } else if (shown.isEmpty()) {
            out().println("Nobody has asked for anything yet.");
        } else {
            TextTable table = new TextTable("asked", "by", "action", "state", "outcome", "answered by");
            for (int i = shown.size() - 1; i >= 0; i--) {
                add(table, shown.get(i));
            }
            table.print(out(), Tint.wanted());
        }
        return ExitCode.OK;
    }

    private static void add(TextTable table, ActionView action) {
        String what = action.job() != null ? action.job() : action.trigger() != null ? action.trigger() : "";
        table.add(
                Cell.of(Times.at(action.at())),
                Cell.of(Printable.text(action.by())),
                Cell.of((action.kind().name().toLowerCase(java.util.Locale.ROOT) + " " + Printable.text(what)).strip()),
                new Cell(action.state().name(), action.state() == ActionView.State.DONE ? Tint.PLAIN : Tint.YELLOW),
                action.outcome() == null ? Cell.NONE : Cell.of(action.outcome()),
                action.answeredBy() == null ? Cell.NONE : Cell.of(Printable.text(action.answeredBy())));
    }
}
