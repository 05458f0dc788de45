package io.latchkey;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.latchkey.zookeeper.Json;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Alert rules and dashboard: well-formed, and right where Prometheus' own tool is there to say so. */
class MonitoringFilesTest {
    private static final String RULES = "latchkey-alerts.yml";
    private static final String CASES = "latchkey-alerts-test.yml";

    @Test
    // YAML comes untyped; a wrong shape fails the test where it is read.
    @SuppressWarnings("unchecked")
    void everyAlertSaysHowBadItIsAndWhatToDo() throws IOException {
        Map<String, Object> file =
                new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(MonitoringFiles.of(RULES)));
        Map<String, Object> group = ((List<Map<String, Object>>) Objects.requireNonNull(file.get("groups"))).get(0);
        List<Map<String, Object>> rules = (List<Map<String, Object>>) Objects.requireNonNull(group.get("rules"));
        Set<Object> names = new HashSet<>();
        for (Map<String, Object> rule : rules) {
            assertThat(names.add(rule.get("alert"))).as("%s, once", rule).isTrue();
            assertThat(rule).containsKey("expr");
            assertThat(((Map<String, Object>) Objects.requireNonNull(rule.get("labels"))).get("severity"))
                    .isIn("critical", "warning");
            assertThat((Map<String, Object>) rule.get("annotations")).containsKeys("summary", "description");
        }
        assertThat(names)
                .contains(
                        "LatchkeyNobodyLeads",
                        "LatchkeyLeadingButNotFiring",
                        "LatchkeyAbandoned",
                        "LatchkeyFailed",
                        "LatchkeyClaimsRefused",
                        "LatchkeyConfDrift",
                        "LatchkeyZooKeeperLost",
                        "LatchkeyStartsLate",
                        "LatchkeyPoolFull",
                        "LatchkeyMissed");
    }

    @Test
    void dashboardHasPanelsThatDoNotOverlap() throws IOException {
        JsonNode dashboard = Json.mapper().readTree(Files.readString(MonitoringFiles.of("latchkey-dashboard.json")));
        Set<String> taken = new HashSet<>();
        Set<Integer> ids = new HashSet<>();
        for (JsonNode panel : dashboard.path("panels")) {
            assertThat(ids.add(panel.path("id").asInt())).isTrue();
            assertThat(panel.path("targets")).isNotEmpty();
            JsonNode at = panel.path("gridPos");
            for (int x = 0; x < at.path("w").asInt(); x++) {
                for (int y = 0; y < at.path("h").asInt(); y++) {
                    String cell =
                            (at.path("x").asInt() + x) + "/" + (at.path("y").asInt() + y);
                    assertThat(taken.add(cell))
                            .as("%s at %s", panel.path("title"), cell)
                            .isTrue();
                    assertThat(at.path("x").asInt() + x).isLessThan(24);
                }
            }
        }
        assertThat(ids).hasSizeGreaterThan(10);
    }

    @Test
    void promtoolFindsNothingWrongAndAlertsComeWhenTheyShould(@TempDir Path dir) throws Exception {
        Optional<Path> promtool = promtool();
        Assumptions.assumeTrue(
                promtool.isPresent(),
                "promtool is not on the PATH (Debian has it in the package prometheus): the alert rules were parsed,"
                        + " not evaluated");
        Files.copy(MonitoringFiles.of(RULES), dir.resolve(RULES));
        Files.copy(Path.of("src/test/resources/prometheus").resolve(CASES), dir.resolve(CASES));

        assertThat(run(dir, promtool.get(), "check", "rules", RULES)).contains("SUCCESS");
        assertThat(run(dir, promtool.get(), "test", "rules", CASES))
                .contains("SUCCESS")
                .doesNotContain("FAILED");
    }

    private static Optional<Path> promtool() {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(place -> Path.of(place).resolve("promtool"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static String run(Path dir, Path promtool, String... arguments) throws Exception {
        Path out = dir.resolve("out");
        List<String> command = new ArrayList<>(List.of(promtool.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(dir.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String said = Files.readString(out, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
