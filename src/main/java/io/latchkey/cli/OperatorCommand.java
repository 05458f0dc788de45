package io.latchkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.latchkey.conf.ConfException;
import io.latchkey.ledger.LedgerException;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command on the ledger: connects, does its work, and ends with the exit code that its failure has. */
abstract class OperatorCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

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

    final LatchkeyCommand root() {
        return (LatchkeyCommand) spec.root().userObject();
    }

    final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Prints an object as JSON, all of it in ASCII: no terminal acts on that. */
    final void printJson(Object view) throws JsonProcessingException {
        out().println(Json.mapper()
                .writerWithDefaultPrettyPrinter()
                .with(JsonWriteFeature.ESCAPE_NON_ASCII)
                .writeValueAsString(view));
    }
}
