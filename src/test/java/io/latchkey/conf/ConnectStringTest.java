package io.latchkey.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectStringTest {
    /** The answers to the rows of connect-strings.tsv: the canonical form, or "!" and what the refusal must say. */
    private static final Map<String, String> ANSWERS = Map.of(
            "h1:2181,h2:2181", "h1:2181,h2:2181",
            "h1:2181, h2:2181", "h1:2181,h2:2181",
            "h1:2181;h2:2181", "!use commas",
            "h1:2181,", "h1:2181",
            "h1", "h1:2181",
            "zk://h1:2181/app", "!zk://",
            "h1:2181/app/", "h1:2181/app",
            "h1:2181/app,h2:2181/app", "!only once, at the end",
            "h1:2181,h2:2181/", "h1:2181,h2:2181");

    static Stream<Arguments> rows() throws IOException {
        try (InputStream table = Objects.requireNonNull(
                ConnectStringTest.class.getResourceAsStream("/cases/scenario/connect-strings.tsv"))) {
            List<String> lines = new String(table.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return lines.stream().skip(1).map(line -> line.split("\t", -1)).map(row -> arguments(row[0], row[1]));
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void everyRowOfTheTableGetsItsVerdict(String text, String verdict) {
        String answer = Objects.requireNonNull(ANSWERS.get(text), "a row without an answer: " + text);
        if (answer.startsWith("!")) {
            assertThat(verdict).startsWith("reject");
            assertThatThrownBy(() -> ConnectString.parse(text)).hasMessageContaining(answer.substring(1));
        } else {
            assertThat(verdict).startsWith("accept");
            assertThat(ConnectString.parse(text)).hasToString(answer);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[::1]:2182 | [::1]:2182",
                "[2001:db8::7] | [2001:db8::7]:2181",
                "zk-1.example.com:2181 | zk-1.example.com:2181",
                "10.0.0.1:1,10.0.0.2:65535/a/b | 10.0.0.1:1,10.0.0.2:65535/a/b",
                "my_zk | my_zk:2181",
                "h1 , h2 | h1:2181,h2:2181",
                "embedded | embedded",
                "embedded:2181 | embedded:2181",
            })
    void acceptsWhatZooKeeperCanUse(String text, String canonical) {
        assertThat(ConnectString.parse(text)).hasToString(canonical);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "h1:0 | a port is a number from 1 to 65535",
                "h1:65536 | a port is a number from 1 to 65535",
                "h1: | a port is a number from 1 to 65535",
                "h1:21a | a port is a number from 1 to 65535",
                "h1:+2181 | a port is a number from 1 to 65535",
                "::1 | in brackets",
                "h1:2181:h2:2181 | separate servers by commas",
                "[::1 | [address]:port",
                "[::1]x | [address]:port",
                "[h1]:2181 | [address]:port",
                ",h1 | no server before a comma",
                "h1,,h2 | no server before a comma",
                "/app | no server before its chroot",
                "h1 h2 | no host name",
                "-h1 | no host name",
                "h1/a//b | two slashes",
                "h1/a/../b | write the whole path",
                "h1,h1:2181 | twice",
                "embedded/app | embedded alone",
                "h1,embedded | embedded alone",
                "Embedded | small letters",
            })
    void refusesWithTheReason(String text, String reason) {
        assertThatThrownBy(() -> ConnectString.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "\t"})
    void emptyIsRefusedAndNeverTakenForEmbedded(String text) {
        assertThatThrownBy(() -> ConnectString.parse(text)).hasMessageStartingWith("is empty");
    }

    @Test
    void loginInTheStringIsRefusedWithoutRepeatingIt() {
        assertThatThrownBy(() -> ConnectString.parse("zk://ops:hunter2@h1:2181"))
                .hasMessageContaining("zookeeper.auth-file")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void chrootIsApartFromTheHosts() {
        ConnectString connect = ConnectString.parse("h1:2181,h2:2182/app");

        assertThat(connect.hosts())
                .containsExactly(new ConnectString.Host("h1", 2181), new ConnectString.Host("h2", 2182));
        assertThat(connect.chroot()).isEqualTo("/app");
    }
}
