package io.latchkey.cli;

import io.latchkey.ledger.ImportRefusedException;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.LedgerExport;
import io.latchkey.lifecycle.ExitCode;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "import",
        description =
                "Write an exported ledger into an ensemble that has none; every line is checked first. Only while all"
                        + " instances are stopped.")
final class LedgerImportCommand extends OperatorCommand {
    @Parameters(paramLabel = "FILE", description = "What `ledger export` wrote; -: standard input.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private String file;

    @Override
    ExitCode run(OperatorLedger ledger) throws CliException, LedgerException {
        try (Reader in = open()) {
            int count = new LedgerExport(ledger.session(), ledger.nodes(), ledger.clock()).importFrom(in);
            out().println(
                            "Imported " + LedgerExportCommand.records(count) + " into "
                                    + ledger.nodes().root() + " at " + ledger.connect()
                                    + ". The instances can be started; what came due meanwhile is decided by the misfire instructions.");
            return ExitCode.OK;
        } catch (ImportRefusedException e) {
            throw new CliException(
                    ExitCode.NO, "nothing was imported: " + Printable.text(String.valueOf(e.getMessage())), e);
        } catch (IOException e) {
            throw new CliException(ExitCode.NO, "cannot read " + file + ": " + e, e);
        }
    }

    private Reader open() throws IOException {
        return file.equals("-")
                ? new InputStreamReader(System.in, StandardCharsets.UTF_8)
                : Files.newBufferedReader(Path.of(file), StandardCharsets.UTF_8);
    }
}
