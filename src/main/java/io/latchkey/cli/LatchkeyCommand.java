package io.latchkey.cli;

import io.latchkey.conf.ConfException;
import io.latchkey.conf.Settings;
import io.latchkey.conf.SettingsSource;
import io.latchkey.lifecycle.ExitCode;
import io.latchkey.zookeeper.SetupException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The root command: what all commands share, and how each ends. */
@Command(
        name = "latchkey",
        description = "A highly available Quartz scheduler: N instances, one leader, every fire accounted for.",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = Version.Text.class,
        footer = {
            "",
            "Exit codes: 0 done; 1 no (nobody leads, validation failed) or failed; 2 usage",
            "or configuration; 3 ZooKeeper unreachable; 4 instance id in use; 5 already",
            "running; 70 virtual machine failed."
        })
public final class LatchkeyCommand implements Callable<Integer> {
    private static final String QUIET_LOGGING = "latchkey-quiet-logback.xml";

    private final InstanceStarter starter;

    @Option(
            names = "--conf",
            paramLabel = "DIR",
            scope = ScopeType.INHERIT,
            description = "The configuration directory (default: $LATCHKEY_CONF, or conf/ beside bin/).")
    private @Nullable Path conf;

    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            scope = ScopeType.INHERIT,
            mapFallbackValue = "",
            description = "A setting, over conf/latchkey.properties and the environment.")
    private Map<String, String> overrides = new LinkedHashMap<>();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "The same as the command version.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean version;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    private LatchkeyCommand(InstanceStarter starter) {
        this.starter = starter;
    }

    /**
     * Runs one command to its end, with output on the process's own streams.
     *
     * @return the exit code
     */
    public static int execute(InstanceStarter starter, String... args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        return execute(starter, out, err, args);
    }

    static int execute(InstanceStarter starter, PrintWriter out, PrintWriter err, String... args) {
        // Before the first logger is made: commands talk to a person, so libraries keep quiet. `run` configures its
        // own.
        if (System.getProperty("logback.configurationFile") == null) {
            System.setProperty("logback.configurationFile", QUIET_LOGGING);
        }
        CommandLine commandLine = commandLine(starter).setOut(out).setErr(err);
        int code = commandLine.execute(args);
        out.flush();
        err.flush();
        return code;
    }

    static CommandLine commandLine(InstanceStarter starter) {
        CommandLine commandLine = new CommandLine(new LatchkeyCommand(starter));
        List.of(
                        new RunCommand(),
                        new StartCommand(),
                        new StopCommand(),
                        new RestartCommand(),
                        new StatusCommand(),
                        new JobsCommand(),
                        new HistoryCommand(),
                        new RunningCommand(),
                        new JobCommand(),
                        new InstancesCommand(),
                        new AuditCommand(),
                        new TriggerCommand(),
                        new PauseCommand(),
                        new ResumeCommand(),
                        new ResignCommand(),
                        new ReloadCommand(),
                        new RepairCommand(),
                        new LedgerCommand(),
                        // What follows the command given to it belongs to that.
                        new CommandLine(new ZkCliCommand()).setStopAtPositional(true),
                        new ValidateCommand(),
                        new NextCommand(),
                        new DemoCommand(),
                        new DrillCommand(),
                        new VersionCommand(),
                        new ZooKeeperServerCommand())
                .forEach(commandLine::addSubcommand);
        commandLine.setExecutionStrategy(LatchkeyCommand::executeKnown);
        commandLine.setParameterExceptionHandler(LatchkeyCommand::badUsage);
        commandLine.setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, command));
        return commandLine;
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.CONFIG.code();
    }

    InstanceStarter starter() {
        return starter;
    }

    /** The settings of the chosen directory, with one more override. */
    Settings settings(Map<String, String> more) throws ConfException, CliException {
        return source(more).load();
    }

    /** Where those settings come from. */
    SettingsSource source(Map<String, String> more) throws CliException {
        Map<String, String> all = new LinkedHashMap<>(overrides);
        all.putAll(more);
        return new SettingsSource(confDir(), System.getenv(), all);
    }

    Settings settings() throws ConfException, CliException {
        return settings(Map.of());
    }

    /** The settings of the chosen directory or, where none is chosen and there is none, of the one a file is in. */
    Settings settingsBeside(Path file) throws ConfException, CliException {
        boolean chosen = conf != null || environment("LATCHKEY_CONF").isPresent();
        Path directory = chosen || Files.isDirectory(usualConfDir())
                ? confDir()
                : Optional.ofNullable(file.toAbsolutePath().normalize().getParent())
                        .orElse(file);
        return new SettingsSource(directory, System.getenv(), overrides).load();
    }

    private static Path usualConfDir() {
        return Path.of(System.getProperty("latchkey.home", ".")).resolve("conf");
    }

    /** What was given with -D, for processes this one starts. */
    Map<String, String> overrides() {
        return Map.copyOf(overrides);
    }

    /** The directory chosen by --conf, LATCHKEY_CONF or where the program stands; it exists. */
    Path confDir() throws CliException {
        Path chosen = Optional.ofNullable(conf)
                .or(() -> environment("LATCHKEY_CONF").map(Path::of))
                .orElseGet(LatchkeyCommand::usualConfDir);
        if (!Files.isDirectory(chosen)) {
            throw new CliException(
                    ExitCode.CONFIG,
                    "there is no configuration directory " + chosen.toAbsolutePath()
                            + ": give one with --conf DIR or LATCHKEY_CONF");
        }
        return chosen.toAbsolutePath().normalize();
    }

    private static Optional<String> environment(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
    }

    private static int badUsage(ParameterException failure, String[] args) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("latchkey: " + inPlainWords(failure));
        CommandLine.UnmatchedArgumentException.printSuggestions(failure, err);
        err.println("Try 'latchkey " + (command.getParent() == null ? "" : command.getCommandName() + " ")
                + "--help' for what can be given.");
        return ExitCode.CONFIG.code();
    }

    private static String inPlainWords(ParameterException failure) {
        if (!(failure instanceof UnmatchedArgumentException unmatched)) {
            return String.valueOf(failure.getMessage());
        }
        CommandLine command = failure.getCommandLine();
        String first = unmatched.getUnmatched().get(0);
        boolean ofAll = command.getParent() == null;
        if (first.startsWith("-")) {
            return (ofAll ? "there is no option " : command.getCommandName() + " has no option ") + first;
        }
        if (command.getSubcommands().isEmpty()) {
            return command.getCommandName() + " takes no more arguments, but was given: "
                    + String.join(" ", unmatched.getUnmatched());
        }
        return "there is no command " + (ofAll ? "" : command.getCommandName() + " ") + first;
    }

    /** Help is help for something that exists: picocli itself overlooks words it does not know where help is asked for. */
    private static int executeKnown(ParseResult parsed) {
        for (ParseResult at = parsed; at != null; at = at.subcommand()) {
            if (!at.unmatched().isEmpty()) {
                throw new UnmatchedArgumentException(at.commandSpec().commandLine(), at.unmatched());
            }
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    private static int failed(Exception failure, CommandLine command) throws Exception {
        if (failure instanceof ConfException || failure instanceof SetupException) {
            command.getErr().println("latchkey: " + failure.getMessage());
            return ExitCode.CONFIG.code();
        }
        if (failure instanceof CliException known) {
            command.getErr().println("latchkey: " + known.getMessage());
            return known.exitCode().code();
        }
        throw failure;
    }
}
