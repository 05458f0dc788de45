package io.latchkey.cli;

import io.latchkey.drill.Drill;
import io.latchkey.drill.DrillException;
import io.latchkey.drill.DrillOptions;
import io.latchkey.lifecycle.ExitCode;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "drill",
        description =
                "See the promises hold: three ZooKeeper servers and some instances on this machine, each a process"
                        + " of its own, under faults drawn from a seed. Needs no root, and no configuration; Ctrl-C ends all of it"
                        + " and leaves nothing behind. Exits 0 only if every due fire was accounted for and none was doubled.")
final class DrillCommand implements Callable<Integer> {
    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "4",
            description = "How long to make faults; each kind is made once in any case. Default: ${DEFAULT-VALUE}.")
    private int minutes;

    @Option(names = "--seed", paramLabel = "N", description = "What the faults are drawn by. Default: a random one.")
    private @Nullable Long seed;

    @Option(
            names = "--instances",
            paramLabel = "N",
            defaultValue = "3",
            description = "How many instances, 2 to 9. Default: ${DEFAULT-VALUE}.")
    private int instances;

    @Option(
            names = "--faults",
            paramLabel = "KIND",
            split = ",",
            description = "Only these kinds, with commas between; an unknown one gets the list.")
    private List<String> faults = List.of();

    @Option(
            names = "--keep",
            paramLabel = "DIR",
            description = "Keep everybody's logs and data there. Default: all is deleted.")
    private @Nullable Path keep;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            defaultValue = "latchkey-drill.html",
            description = "Where the report with the timeline goes. Default: ${DEFAULT-VALUE}.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path report;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws CliException, InterruptedException {
        String launcher = System.getProperty("latchkey.launcher");
        if (launcher == null) {
            throw new CliException(ExitCode.NO, "the drill starts instances by bin/latchkey: run it through that");
        }
        try {
            DrillOptions options = new DrillOptions(
                    Duration.ofMinutes(minutes),
                    seed != null ? seed : new SecureRandom().nextInt(1_000_000),
                    instances,
                    faults,
                    Optional.ofNullable(keep),
                    report,
                    launcher);
            boolean holds = new Drill(options, spec.commandLine().getOut()).run();
            return (holds ? ExitCode.OK : ExitCode.NO).code();
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.CONFIG, String.valueOf(e.getMessage()), e);
        } catch (DrillException e) {
            throw new CliException(ExitCode.NO, String.valueOf(e.getMessage()), e);
        }
    }
}
