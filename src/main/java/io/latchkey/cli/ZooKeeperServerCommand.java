package io.latchkey.cli;

import io.latchkey.lifecycle.ExitCode;
import io.latchkey.lifecycle.Faults;
import io.latchkey.lifecycle.Threads;
import io.latchkey.zookeeper.EmbeddedZooKeeper;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "zookeeper-server", hidden = true, description = "The demo's ZooKeeper server, on loopback.")
final class ZooKeeperServerCommand implements Callable<Integer> {
    /** Written with the port behind it, once clients can connect. */
    static final String READY = "zookeeper-server: ready on port ";

    /** Instances that lose the demo with us hand over first. */
    private static final Duration ORPHAN_GRACE = Duration.ofSeconds(5);

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path directory;

    @Option(names = "--delete-with-parent", paramLabel = "DIR")
    private @Nullable Path deleteWithParent;

    @Override
    public Integer call() throws Exception {
        CountDownLatch orphaned = new CountDownLatch(1);
        try (EmbeddedZooKeeper server = EmbeddedZooKeeper.startOrJoin(directory)) {
            spec.commandLine().getOut().println(READY + server.port());
            spec.commandLine().getOut().flush();
            new Threads(new Faults()).start("parent-watch", () -> {
                ParentWatch.awaitEnd(System.in);
                orphaned.countDown();
            });
            orphaned.await();
            // Nobody counts this down: it is the pause itself.
            new CountDownLatch(1).await(ORPHAN_GRACE.toSeconds(), TimeUnit.SECONDS);
        }
        if (deleteWithParent != null) {
            DemoFiles.delete(deleteWithParent);
        }
        return ExitCode.OK.code();
    }
}
