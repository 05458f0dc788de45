package io.latchkey.cli;

import io.latchkey.conf.ConfException;
import io.latchkey.conf.Problem;
import io.latchkey.conf.Settings;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.lifecycle.ExitCode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

@Command(
        name = "validate",
        description =
                "Check the configuration and all job files as at start, offline. Exits 0 if an instance would start"
                        + " with them, 1 if not.")
final class ValidateCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private LatchkeyCommand parent;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "FILE", description = "Job files, in place of those of jobs.files.")
    private @Nullable List<Path> files;

    @Override
    public Integer call() throws CliException {
        PrintWriter out = spec.commandLine().getOut();
        try {
            Settings settings = parent.settings(chosenFiles());
            JobCatalog catalog = Catalogs.load(settings);
            settings.notices().forEach(notice -> out.println("warning: " + notice));
            for (Problem warning : catalog.warnings()) {
                out.println("warning: " + warning);
            }
            out.printf(
                    "OK: %d jobs, %d triggers, conf digest %s%n",
                    catalog.jobs().size(), catalog.triggers().size(), catalog.digest());
            return ExitCode.OK.code();
        } catch (ConfException e) {
            e.problems().forEach(out::println);
            out.println(e.problems().size() == 1 ? "1 problem" : e.problems().size() + " problems");
            return ExitCode.NO.code();
        }
    }

    private Map<String, String> chosenFiles() {
        if (files == null) {
            return Map.of();
        }
        return Map.of(
                "jobs.files",
                files.stream().map(file -> file.toAbsolutePath().toString()).collect(Collectors.joining(",")));
    }
}
