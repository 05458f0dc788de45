package io.latchkey.cli;

import io.latchkey.lifecycle.ExitCode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "ledger",
        description = "Move the ledger to another ensemble.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {LedgerExportCommand.class, LedgerImportCommand.class})
final class LedgerCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.CONFIG.code();
    }
}
