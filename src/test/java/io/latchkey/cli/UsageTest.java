package io.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is typed wrong is told in plain words, with exit code 2. */
class UsageTest {
    @TempDir
    Path conf;

    @Test
    void wordsTooManyAreNamed() {
        Output output = of("status", "extra");

        assertThat(output.err()).contains("status takes no more arguments, but was given: extra", "status --help");
        assertThat(output.code()).isEqualTo(2);
    }

    @Test
    void unknownCommandHasNoHelp() {
        Output output = of("nosuch", "--help");

        assertThat(output.err()).contains("there is no command nosuch");
        assertThat(output.out()).isEmpty();
        assertThat(output.code()).isEqualTo(2);
    }

    @Test
    void helpOfACommandIsHelp() {
        Output output = of("start", "--help");

        assertThat(output.out()).contains("--wait", "left running");
        assertThat(output.code()).isZero();
    }

    @Test
    void unknownOptionIsNamed() {
        Output output = of("status", "--jsno");

        assertThat(output.err()).contains("status has no option --jsno");
        assertThat(output.code()).isEqualTo(2);
    }

    @Test
    void versionIsAnOptionToo() {
        assertThat(of("--version").out()).isEqualTo(of("version").out()).startsWith("latchkey ");
    }

    private Output of(String command, String... more) {
        return Output.of(conf, command, more);
    }
}
