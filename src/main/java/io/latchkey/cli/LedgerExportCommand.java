package io.latchkey.cli;

import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.LedgerExport;
import io.latchkey.lifecycle.ExitCode;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "export",
        description = "Write the ledger as lines of JSON: cursors, running records, history, job data, pauses and the"
                + " fencing token. Stop the instances first. Exits 1 where a record is of a newer version (nothing is"
                + " written then), or damaged (all others are written).")
final class LedgerExportCommand extends OperatorCommand {
    private static final String STDOUT = "-";

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            defaultValue = STDOUT,
            description = "A new file; - or none: standard output.")
    private String file = STDOUT;

    private int damaged;

    @Override
    ExitCode run(OperatorLedger ledger) throws CliException, LedgerException, InterruptedException {
        ledger.requireRoot();
        if (ledger.cluster().isLed()) {
            err().println("warning: an instance leads, so this is no single moment's ledger. For a move stop all of"
                    + " them first");
        }
        LedgerExport export = new LedgerExport(ledger.session(), ledger.nodes(), ledger.clock());
        int count;
        try {
            count = file.equals(STDOUT) ? toStandardOutput(export) : toFile(export, Path.of(file));
        } catch (FileAlreadyExistsException e) {
            throw new CliException(ExitCode.NO, file + " is there already: name a new file", e);
        } catch (IOException e) {
            throw new CliException(ExitCode.NO, "cannot write " + file + ": " + e, e);
        }
        err().println("Exported " + records(count) + " from " + ledger.nodes().root() + " at " + ledger.connect()
                + (damaged == 0 ? "" : "; left " + damaged + " damaged out, as said above"));
        return damaged == 0 ? ExitCode.OK : ExitCode.NO;
    }

    private int toStandardOutput(LedgerExport export) throws LedgerException, IOException {
        StringBuilder lines = new StringBuilder();
        int count = export.export(lines, this::leftOut);
        out().print(lines);
        out().flush();
        return count;
    }

    private void leftOut(String what) {
        damaged++;
        err().println("warning: left out: " + Printable.text(what));
    }

    /** What could not be written to its end is not left behind. */
    private int toFile(LedgerExport export, Path target) throws LedgerException, IOException {
        boolean whole = false;
        try (Writer writer = Files.newBufferedWriter(target, StandardCharsets.UTF_8, StandardOpenOption.CREATE_NEW)) {
            try {
                int count = export.export(writer, this::leftOut);
                writer.flush();
                whole = true;
                return count;
            } finally {
                if (!whole) {
                    Files.deleteIfExists(target);
                }
            }
        }
    }

    static String records(int count) {
        return count == 1 ? "1 record" : count + " records";
    }
}
