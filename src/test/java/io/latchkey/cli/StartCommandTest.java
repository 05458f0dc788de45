package io.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.lifecycle.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartCommandTest {
    @TempDir
    Path home;

    @ParameterizedTest
    @ValueSource(strings = {"log.dir", "data.dir"})
    void directoryThatCannotBeWrittenIsNamedBeforeAnythingStarts(String key) throws Exception {
        Path conf = Files.createDirectory(home.resolve("conf"));
        // Permissions would not keep root out; a file in the way does.
        Path inTheWay = Files.writeString(home.resolve("occupied"), "");

        Output output =
                Output.of(conf, "start", new String[] {"-Dzookeeper.connect=127.0.0.1:1", "-D" + key + "=" + inTheWay});

        assertThat(output.err()).contains(key, "cannot write to " + inTheWay, "set " + key + " to another directory");
        assertThat(output.code()).isEqualTo(ExitCode.CONFIG.code());
    }
}
