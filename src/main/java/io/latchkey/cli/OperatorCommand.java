package io.latchkey.cli;

import io.latchkey.conf.ConfException;
import io.latchkey.ledger.LedgerException;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.zookeeper.FormatTooNewException;
import java.io.IOException;

/** A command on the ledger: connects, does its work, and ends with the exit code that its failure has. */
abstract class OperatorCommand extends SubCommand {
    /** What the command does, on an open connection. */
    abstract ExitCode run(OperatorLedger ledger)
            throws CliException, LedgerException, ConfException, IOException, InterruptedException;

    @Override
    public final Integer call() throws ConfException, CliException, IOException, InterruptedException {
        checkUsage();
        try (OperatorLedger ledger = OperatorLedger.open(root().settings())) {
            int code = run(ledger).code();
            ledger.damaged().stream()
                    .sorted()
                    .forEach(what -> err().println("warning: " + Printable.text(what) + ". It is left out here"));
            return code;
        } catch (LedgerException e) {
            throw new CliException(ExitCode.UNREACHABLE, Printable.text(String.valueOf(e.getMessage())), e);
        } catch (FormatTooNewException e) {
            throw new CliException(
                    ExitCode.NO,
                    Printable.text(e.getMessage()) + ". Nothing was done: use this command of that version",
                    e);
        }
    }

    /**
     * Checks what was given, before anything is connected to.
     *
     * @throws CliException with exit code 2 if it makes no sense
     */
    void checkUsage() throws CliException {}
}
