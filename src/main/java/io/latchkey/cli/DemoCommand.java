package io.latchkey.cli;

import io.latchkey.conf.ConfException;
import io.latchkey.conf.Settings;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

@Command(
        name = "demo",
        description =
                "See a failover on this machine: a ZooKeeper server and three instances, each a process of its own,"
                        + " run the jobs of the configuration. Ctrl-C ends all of it and leaves nothing behind.")
final class DemoCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private LatchkeyCommand parent;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() throws ConfException, CliException, InterruptedException, IOException {
        // A broken configuration is told now, once, and not by three instances.
        Settings settings = parent.settings();
        Catalogs.load(settings).release();
        PrintWriter out = spec.commandLine().getOut();
        try (DemoFiles files = DemoFiles.create(parent.confDir());
                Demo demo = new Demo(files, settings.jobs(), new DemoOutput(out))) {
            return demo.run().code();
        }
    }
}
