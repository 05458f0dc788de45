package io.latchkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.latchkey.cli.TextTable.Cell;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.LedgerReader;
import io.latchkey.ledger.RunningRecord;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.view.FireView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "running",
        description =
                "Show the fires that run, where and since when, and those whose instance is gone and that wait for"
                        + " a leader to decide them; as ZooKeeper has it, without a leader too.")
final class RunningCommand extends OperatorCommand {
    @Option(names = "--json", description = "The same as JSON.")
    private boolean json;

    /** The fields of {@code running --json}. */
    record View(List<FireView> running) {}

    @Override
    ExitCode run(OperatorLedger ledger)
            throws CliException, LedgerException, JsonProcessingException, InterruptedException {
        ledger.requireRoot();
        LedgerReader reader = ledger.reader();
        List<RunningRecord> records = reader.running();
        // After the records: an instance that came meanwhile must not look gone.
        Set<String> live = reader.liveIncarnations();
        List<FireView> fires = new ArrayList<>();
        records.forEach(record -> fires.add(FireView.of(record, live)));
        if (json) {
            printJson(new View(fires));
        } else if (fires.isEmpty()) {
            out().println("Nothing runs.");
        } else {
            TextTable table = new TextTable("job", "slot", "running", "term", "fire");
            for (int i = 0; i < fires.size(); i++) {
                FireView fire = fires.get(i);
                table.add(
                        Cell.of(Printable.name(records.get(i).job())),
                        Cell.of(fire.slot()),
                        new Cell(
                                FireText.where(fire, ledger.now()),
                                fire.state() == FireView.State.RUNNING ? Tint.PLAIN : Tint.YELLOW),
                        Cell.of(fire.term()),
                        new Cell(Printable.text(fire.fire()), Tint.FAINT));
            }
            table.print(out(), Tint.wanted());
        }
        return ExitCode.OK;
    }
}
