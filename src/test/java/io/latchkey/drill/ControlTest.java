package io.latchkey.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.jobs.Misfire;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The control of the drill: the same faults and the same checks on {@link TextbookService}. A drill that finds nothing wrong
 * there finds nothing. Run by {@code mvn -Pcontrol test}; its report is in {@code target/control.html}.
 */
@Tag("control")
class ControlTest {
    private static final Path TARGET = Path.of("target").toAbsolutePath();

    @Test
    void theTextbooksWayDoublesAndLosesFires(@TempDir Path dir) throws Exception {
        Path log = TARGET.resolve("control.txt");
        Report report;
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(log, StandardCharsets.UTF_8))) {
            DrillOptions options = new DrillOptions(
                    Duration.ofMinutes(1),
                    1,
                    3,
                    List.of("kill-leader", "stop-leader", "freeze-long", "cut-all", "session-expired", "quorum-lost"),
                    Optional.of(dir.resolve("work")),
                    TARGET.resolve("control.html"),
                    launcher(dir).toString());
            report = new Drill(options, out, TextbookObserver::new).report();
        }

        assertThat(Files.readString(log)).contains("leader killed");
        assertThat(found(report, Violation.Kind.DUPLICATE))
                .as("fires that were started twice; see %s", log)
                .anyMatch(text -> text.contains("started twice"));
        assertThat(found(report, Violation.Kind.LOST))
                .as("fires that are lost, of triggers that miss none on purpose; see %s", log)
                .anyMatch(ControlTest::mayNotBeMissed);
        assertThat(found(report, Violation.Kind.TOKEN))
                .as("starts by a leader after its successor had begun; see %s", log)
                .isNotEmpty();
    }

    private static List<String> found(Report report, Violation.Kind kind) {
        return report.violations().stream()
                .filter(violation -> violation.kind() == kind)
                .map(Violation::text)
                .toList();
    }

    private static boolean mayNotBeMissed(String violation) {
        return DrillJobs.always().stream()
                .anyMatch(trigger -> trigger.misfire() == Misfire.ALL && violation.startsWith(trigger.name() + "@"));
    }

    /** What the drill takes for {@code bin/latchkey}. */
    private static Path launcher(Path dir) throws Exception {
        Path script = dir.resolve("textbook");
        Files.writeString(
                script,
                String.join(
                        "\n",
                        "#!/bin/sh",
                        "exec '" + Path.of(System.getProperty("java.home"), "bin", "java")
                                + "' -Xmx128m -XX:+UseSerialGC \\",
                        "  -XX:TieredStopAtLevel=1 -Dlogback.configurationFile=latchkey-drill-logback.xml \\",
                        "  -cp '" + System.getProperty("java.class.path") + "' " + TextbookService.class.getName()
                                + " \"$@\"",
                        ""));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        return script;
    }
}
