package io.latchkey.cli;

import io.latchkey.conf.ConfException;
import io.latchkey.conf.Settings;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

@Command(
        name = "demo",
        description =
                "See a failover on this machine: a ZooKeeper server and three instances, each a process of its own,"
                        + " run the jobs of the configuration. Ctrl-C ends all of it and leaves nothing behind.")
final class DemoCommand extends SubCommand {
    @Override
    public Integer call() throws ConfException, CliException, InterruptedException, IOException {
        // A broken configuration is told now, once, and not by three instances.
        Settings settings = root().settings();
        Catalogs.load(settings).release();
        PrintWriter out = out();
        try (DemoFiles files = DemoFiles.create(root().confDir());
                Demo demo = new Demo(files, settings.jobs(), new DemoOutput(out))) {
            return demo.run().code();
        }
    }
}
