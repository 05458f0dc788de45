package io.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.lifecycle.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The compose file, the image and the systemd unit, as far as they can be checked without an engine for them. */
class DeploymentFilesTest {
    private static final int DRAIN_SECONDS = 30;

    private final Map<String, Object> compose = compose();

    @Test
    void composeHasThreeServersAndThreeInstancesThatKnowThem() {
        for (int i = 1; i <= 3; i++) {
            Map<String, Object> zookeeper = service("zk" + i);
            assertThat(zookeeper).containsEntry("image", "zookeeper:3.9").containsKey("healthcheck");
            assertThat(map(zookeeper.get("environment"))).containsEntry("ZOO_MY_ID", i);
            Map<String, Object> instance = service("instance-" + i);
            assertThat(instance).containsKey("healthcheck");
            assertThat(map(instance.get("environment")))
                    .containsEntry("LATCHKEY_INSTANCE_ID", "instance-" + i)
                    .containsEntry("LATCHKEY_ZOOKEEPER_CONNECT", "zk1:2181,zk2:2181,zk3:2181");
            assertThat(map(instance.get("depends_on"))).containsOnlyKeys("zk1", "zk2", "zk3");
        }
    }

    @Test
    void bothGiveAStopMoreTimeThanTheDrainTakes() throws IOException {
        String grace = String.valueOf(service("instance-1").get("stop_grace_period"));
        assertThat(Integer.parseInt(grace.replace("s", "")))
                .isGreaterThan(DRAIN_SECONDS + (int) OrderedStop.MARGIN.toSeconds());
        Matcher unit = Pattern.compile("(?m)^TimeoutStopSec=(\\d+)$").matcher(unit());
        assertThat(unit.find()).isTrue();
        assertThat(Integer.parseInt(unit.group(1))).isGreaterThan(DRAIN_SECONDS + (int) OrderedStop.MARGIN.toSeconds());
    }

    @Test
    void composeBuildsTheImageFromAFileThatIsThere() {
        Map<String, Object> build = map(service("instance-1").get("build"));
        assertThat(Distribution.project().resolve(String.valueOf(build.get("dockerfile"))))
                .isRegularFile();
    }

    @Test
    void unitDoesNotLoopOnAConfigurationARestartCannotMend() throws IOException {
        assertThat(unit())
                .contains("\nRestartPreventExitStatus=" + ExitCode.CONFIG.code() + "\n")
                .contains("\nSuccessExitStatus=0 143\n")
                .contains("\nExecStart=/opt/latchkey/bin/latchkey run --refuse-embedded\n");
    }

    @Test
    void imagesStartCommandRefusesTheEmbeddedServer(@TempDir Path temp) throws Exception {
        Distribution distribution = Distribution.in(temp.resolve("latchkey"));
        String dockerfile = Files.readString(Distribution.project().resolve("src/main/docker/Dockerfile"));
        Matcher command = Pattern.compile("(?m)^CMD \\[(.*)]$").matcher(dockerfile);
        assertThat(command.find()).isTrue();
        List<String> words = Pattern.compile("\"([^\"]*)\"")
                .matcher(command.group(1))
                .results()
                .map(word -> word.group(1)
                        .replace("/opt/latchkey", distribution.home().toString()))
                .toList();
        // As it stands, but for the place; a Java that only prints what it was given would prove less.
        Finished finished = Finished.run(temp, Map.of("LATCHKEY_ZOOKEEPER_CONNECT", "embedded"), words);

        assertThat(finished.output()).contains("zookeeper.connect=embedded is for evaluation only");
        assertThat(finished.code()).isEqualTo(ExitCode.CONFIG.code());
    }

    private static String unit() throws IOException {
        return Files.readString(Distribution.project().resolve("src/main/dist/latchkey.service"));
    }

    private static Map<String, Object> compose() {
        try {
            String text = Files.readString(Distribution.project().resolve("docker-compose.yml"));
            return new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private Map<String, Object> service(String name) {
        return map(map(compose.get("services")).get(name));
    }

    // YAML maps come untyped; a wrong shape fails the test where it is read.
    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(@Nullable Object value) {
        assertThat(value).isInstanceOf(Map.class);
        return (Map<String, Object>) Objects.requireNonNull(value);
    }
}
