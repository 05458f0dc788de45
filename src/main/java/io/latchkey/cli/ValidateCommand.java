package io.latchkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.latchkey.conf.Code;
import io.latchkey.conf.ConfException;
import io.latchkey.conf.Problem;
import io.latchkey.conf.Settings;
import io.latchkey.conf.SettingsLoader;
import io.latchkey.console.Console;
import io.latchkey.console.ConsoleException;
import io.latchkey.jobs.JobsCheck;
import io.latchkey.jobs.JobsLoader;
import io.latchkey.lifecycle.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "validate",
        description =
                "Check the configuration and all job files as at start, offline, and say what will surprise: fires that"
                        + " the clocks skip or double within a year, triggers that never fire, days and weekdays that"
                        + " mean something else, jobs that may hang or overlap. Exits 0 if an instance would start with"
                        + " them, with warnings or without; 1 if not.")
final class ValidateCommand extends SubCommand {
    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "Check these alone, together: job files, crontabs, .properties (default: the configuration).")
    private List<Path> files = new ArrayList<>();

    @Option(names = "--no-classes", description = "Do not look for the classes of authors: their jars are not here.")
    private boolean noClasses;

    @Option(
            names = "--json",
            description =
                    "The same as JSON: findings with severity, code, file, line, column, subject, message, remedy.")
    private boolean json;

    @Override
    public Integer call() throws CliException, JsonProcessingException {
        Findings findings = new Findings();
        try {
            Optional<JobsCheck> jobs = files.isEmpty() ? configuration(findings) : files(findings);
            jobs.ifPresent(findings::add);
        } catch (ConfException e) {
            e.problems().forEach(problem -> findings.error(ofSettings(problem)));
        }
        if (json) {
            printJson(findings.view());
        } else {
            FindingsText.print(findings.view(), out());
        }
        return (findings.view().valid() ? ExitCode.OK : ExitCode.NO).code();
    }

    private Optional<JobsCheck> configuration(Findings findings) throws CliException, ConfException {
        Settings settings = root().settings();
        notices(settings, settings.paths().confDir(), findings);
        console(settings, findings);
        return Optional.of(JobsLoader.check(settings, List.of(), !noClasses, Clock.systemUTC()));
    }

    private static void console(Settings settings, Findings findings) {
        try {
            Console.check(settings.http());
        } catch (ConsoleException e) {
            findings.error(new Problem(
                    Code.SETTING,
                    settings.paths().confDir().toString(),
                    "",
                    String.valueOf(e.getMessage()),
                    "or set http.enabled=false"));
        }
    }

    private Optional<JobsCheck> files(Findings findings) throws CliException {
        List<Path> jobFiles = new ArrayList<>();
        for (Path file : files) {
            if (!Files.exists(file)) {
                findings.error(
                        new Problem(Code.FILE, file.toString(), "", "there is no such file", "correct its name"));
            } else if (Files.isDirectory(file)) {
                findings.error(new Problem(
                        Code.FILE, file.toString(), "", "is a directory", "name the files in it: " + file + "/*"));
            } else if (file.toString().endsWith(".properties")) {
                properties(file, findings);
            } else {
                jobFiles.add(file);
            }
        }
        return jobFiles.isEmpty() ? Optional.empty() : jobFiles(jobFiles, findings);
    }

    private Optional<JobsCheck> jobFiles(List<Path> jobFiles, Findings findings) throws CliException {
        try {
            Settings settings = root().settingsBeside(jobFiles.get(0));
            return Optional.of(JobsLoader.check(settings, jobFiles, !noClasses, Clock.systemUTC()));
        } catch (ConfException e) {
            e.problems().forEach(problem -> findings.error(ofSettings(problem)));
            return Optional.empty();
        }
    }

    private static void properties(Path file, Findings findings) {
        try {
            notices(SettingsLoader.check(file), file, findings);
        } catch (ConfException e) {
            e.problems().forEach(problem -> findings.error(ofSettings(problem)));
        }
    }

    private static void notices(Settings settings, Path place, Findings findings) {
        settings.notices()
                .forEach(notice -> findings.warning(new Problem(Code.NOTICE, place.toString(), "", notice, "")));
    }

    private static Problem ofSettings(Problem problem) {
        return problem.code() == Code.INVALID ? problem.of(Code.SETTING) : problem;
    }
}
