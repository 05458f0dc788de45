package io.latchkey.drill;

import io.latchkey.lifecycle.Faults;
import io.latchkey.lifecycle.Threads;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The drill: runs an ensemble and instances, makes faults, judges, and writes the report. The end of the process, however
 * it comes, ends all that it started.
 */
public final class Drill {
    private static final Logger log = LoggerFactory.getLogger(Drill.class);

    private static final Limits LIMITS =
            new Limits(Duration.ofSeconds(3), Ensemble.TICK, Duration.ofSeconds(2), 3, Duration.ofSeconds(2));
    private static final Duration FIRST_SETTLE = Duration.ofSeconds(60);
    private static final Duration SETTLE = Duration.ofSeconds(30);

    private final DrillOptions options;
    private final PrintWriter out;
    private final Rig.Eyes eyes;
    private final long began = System.nanoTime();

    /**
     * A drill that has not begun.
     *
     * @param out gets a line for each fault, and the report
     */
    public Drill(DrillOptions options, PrintWriter out) {
        this(options, out, (ensemble, files, threads) -> new Observer(ensemble, threads));
    }

    /** @param eyes what looks at the service, for one that is not this */
    Drill(DrillOptions options, PrintWriter out, Rig.Eyes eyes) {
        this.options = options;
        this.out = out;
        this.eyes = eyes;
    }

    /** The kinds of fault, as they are given on the command line. */
    public static List<String> kinds() {
        return Arrays.stream(FaultKind.values()).map(FaultKind::option).toList();
    }

    /**
     * Runs it to its end, which takes somewhat longer than the faults do.
     *
     * @return whether all promises held and every kind of fault had an effect
     * @throws DrillException if it cannot run here, or the service never came up
     */
    public boolean run() throws DrillException, InterruptedException {
        return report().holds();
    }

    /** Runs it to its end, and says what it showed. */
    Report report() throws DrillException, InterruptedException {
        say("seed " + options.seed() + ", " + options.instances() + " instances, 3 ZooKeeper servers, session timeout "
                + Findings.seconds(LIMITS.session()));
        Threads threads = new Threads(new Faults());
        DrillFiles files = DrillFiles.create(options.keep());
        Rig rig = new Rig(files, options.launcher(), LIMITS, options.instances(), eyes, threads);
        Thread hook = threads.factory("drill-stop").newThread(rig::close);
        Runtime.getRuntime().addShutdownHook(hook);
        try (rig) {
            Report report = drill(rig);
            out.println(report.text());
            out.flush();
            files.write(options.report().toAbsolutePath(), HtmlReport.of(report));
            say("The picture is in " + options.report());
            return report;
        } finally {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                log.debug("Ending already", e);
            }
        }
    }

    private Report drill(Rig rig) throws DrillException, InterruptedException {
        rig.start();
        rig.awaitUp(FIRST_SETTLE);
        Instant from = Instant.now().plusSeconds(1).truncatedTo(ChronoUnit.SECONDS);
        say(rig.leader().instance() + " leads; " + DrillJobs.always().size() + " triggers run");
        rig.pause(Duration.between(Instant.now(), from));
        List<FaultTry> tries = faults(rig);
        Instant to = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        finish(rig, to);
        Map<String, Instant> since = new HashMap<>(rig.observer().firstNext());
        DrillJobs.always().forEach(trigger -> since.remove(trigger.name()));
        Evidence evidence = new Evidence(
                LIMITS,
                new Evidence.Window(from, to, rig.observer().snapshot().next(), since),
                rig.lines(),
                rig.observer().decisions(),
                new Sightings(
                        rig.observer().incarnations(),
                        rig.observer().leaders(),
                        rig.instances().lives()),
                tries,
                rig.pace().measured());
        return Report.of(options.seed(), options.chosen(), evidence, rig.incidents());
    }

    private List<FaultTry> faults(Rig rig) throws DrillException, InterruptedException {
        FaultPlan plan = new FaultPlan(options.seed(), options.chosen());
        List<FaultTry> tries = new ArrayList<>();
        while (!plan.hadEach() || elapsed().compareTo(options.length()) < 0) {
            FaultPlan.Planned planned = plan.next();
            FaultTry made = make(rig, planned);
            tries.add(made);
            say("%-34s %-44s %s%s%s"
                    .formatted(
                            made.kind().text(),
                            made.target(),
                            made.effect().bit() ? "" : "no effect; ",
                            made.takeover(rig.lines())
                                    .map(time -> "taken over after " + Findings.seconds(time) + "; ")
                                    .orElse(""),
                            made.effect().note()));
            if (!made.effect().bit()) {
                plan.didNotBite(planned);
            }
            if (rig.restartEnded()) {
                rig.settle(SETTLE);
            }
        }
        return tries;
    }

    private FaultTry make(Rig rig, FaultPlan.Planned planned) throws DrillException, InterruptedException {
        Fault fault = FaultMaker.make(planned.kind(), rig, planned.random());
        int lines = rig.lines().size();
        Instant called = Instant.now();
        String target = fault.inject();
        Instant injected = fault.struck().orElse(called);
        rig.pause(fault.lasts());
        fault.heal();
        Instant healed = Instant.now();
        Optional<String> missing = rig.settle(SETTLE);
        Instant settled = Instant.now();
        missing.ifPresent(text -> rig.incident("after \"" + planned.kind().text() + "\" the service did not settle in "
                + SETTLE.toSeconds() + " s: " + text));
        List<RunLine> all = rig.lines();
        log.debug("{} lines during {}", all.size() - lines, planned.kind());
        FaultTry.Effect effect = fault.effect(
                new Aftermath(injected, healed, settled, all, rig.observer().leaders()));
        return new FaultTry(planned.kind(), target, injected, healed, settled, effect);
    }

    /** Waits until all that was due by then is decided and seen, then stops the instances as an operator would. */
    private void finish(Rig rig, Instant to) throws DrillException, InterruptedException {
        boolean decided = rig.await(SETTLE, () -> {
            Snapshot seen = rig.observer().snapshot();
            return seen.running().stream().noneMatch(record -> record.slot().isBefore(to))
                    && DrillJobs.always().stream().allMatch(trigger -> {
                        Instant next = seen.next().get(trigger.name());
                        return next != null && !next.isBefore(to);
                    });
        });
        if (!decided) {
            rig.incident("at the end, not all that was due had been decided after " + SETTLE.toSeconds() + " s");
        }
        for (String id : rig.instances().ids()) {
            rig.instances().signal(id, "TERM");
        }
        for (String id : rig.instances().ids()) {
            ProcessFaults.stopped(rig, id);
        }
        Instant stopped = Instant.now();
        rig.await(SETTLE, () -> rig.observer().snapshot().at().isAfter(stopped));
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    private void say(String text) {
        out.printf("[%4d s] %s%n", elapsed().toSeconds(), text);
        out.flush();
    }
}
