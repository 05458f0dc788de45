package io.latchkey.cli;

import io.latchkey.conf.ConfException;
import io.latchkey.conf.Settings;
import io.latchkey.conf.SettingsSource;
import io.latchkey.lifecycle.ExitCode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

@Command(
        name = "run",
        description = "Run an instance in the foreground. Ctrl-C or SIGTERM hands the lead over, waits for running jobs"
                + " (shutdown.drain-timeout) and exits 0.")
final class RunCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private LatchkeyCommand parent;

    @Option(names = "--fail-fast", description = "Exit (3) if ZooKeeper cannot be reached, instead of waiting for it.")
    private boolean failFast;

    @Option(
            names = "--catch-up",
            paramLabel = "run|hold",
            description = "With hold, the first lead waits for you before it runs what was missed.")
    private @Nullable String catchUp;

    @Option(
            names = "--refuse-embedded",
            description = "Exit (2) on zookeeper.connect=embedded: for service managers, whose instances are many.")
    private boolean refuseEmbedded;

    @Option(names = "--daemon", hidden = true, description = "Started by `start`: logs to files, holds the PID file.")
    private boolean daemon;

    @Option(names = "--stop-with-parent", hidden = true, description = "Stop when standard input ends.")
    private boolean stopWithParent;

    @Override
    public Integer call() throws ConfException, CliException, InterruptedException {
        Map<String, String> more = new LinkedHashMap<>();
        if (catchUp != null) {
            more.put("scheduler.catch-up", catchUp);
        }
        SettingsSource source = parent.source(more);
        Settings settings = source.load();
        if (refuseEmbedded || daemon) {
            Embedded.refuse(settings);
        }
        ServiceLogging.configure(settings, daemon);
        PidFile pidFile = daemon ? PidFile.acquire(settings) : null;
        try {
            return runUntilStopped(settings, source);
        } finally {
            if (pidFile != null) {
                pidFile.close();
            }
        }
    }

    private int runUntilStopped(Settings settings, SettingsSource source)
            throws ConfException, CliException, InterruptedException {
        Logger log = LoggerFactory.getLogger(RunCommand.class);
        log.info(
                "Latchkey {} starts as instance {}, pid {}, configuration {}",
                Version.current(),
                settings.instanceId(),
                ProcessHandle.current().pid(),
                settings.paths().confDir());
        settings.notices().forEach(log::warn);
        if (settings.zookeeper().embedded()) {
            log.warn("zookeeper.connect=embedded is for evaluation only: the ZooKeeper server lives in this process,"
                    + " and instances on other hosts would each lead. For service, set zookeeper.connect to an"
                    + " ensemble");
        }
        OrderedStop stop = OrderedStop.install(settings.shutdown().drainTimeout());
        if (stopWithParent) {
            stop.whenInputEnds(System.in);
        }
        try (InstanceStarter.Instance instance = parent.starter().start(settings, source, failFast)) {
            stop.started(instance);
            instance.awaitTermination();
        } finally {
            stop.uninstall();
        }
        // An ordered stop does not come here: it halts the process.
        return ExitCode.NO.code();
    }
}
