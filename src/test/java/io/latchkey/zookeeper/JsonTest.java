package io.latchkey.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    record Sample(
            int format,
            String who,
            Instant since,
            Duration took,
            @Nullable String note,
            Map<String, String> data) {
        Sample {
            if (who.isBlank()) {
                throw new IllegalArgumentException("who is blank");
            }
        }
    }

    private static final Sample SAMPLE = new Sample(
            2,
            "übel",
            Instant.parse("2026-11-29T12:00:00.5Z"),
            Duration.ofMillis(1500),
            null,
            new TreeMap<>(Map.of("b", "2", "a", "1")));

    @Test
    void recordReadsAsAPersonWouldWant() {
        assertThat(new String(Json.write(SAMPLE), UTF_8))
                .isEqualTo("{\"format\":2,\"who\":\"übel\",\"since\":\"2026-11-29T12:00:00.500Z\",\"took\":\"PT1.5S\","
                        + "\"data\":{\"a\":\"1\",\"b\":\"2\"}}");
    }

    @Test
    void recordComesBack() {
        assertThat(Json.read(Json.write(SAMPLE), Sample.class, 2, "/x")).isEqualTo(SAMPLE);
    }

    @Test
    void olderFormatAndUnknownFieldsAreRead() {
        byte[] older =
                "{\"format\":1,\"who\":\"me\",\"since\":\"2026-11-29T12:00:00Z\",\"added\":[1,{}]}".getBytes(UTF_8);

        Sample read = Json.read(older, Sample.class, 2, "/x");

        assertThat(read.who()).isEqualTo("me");
        assertThat(read.format()).isEqualTo(1);
    }

    @Test
    void newerFormatIsNotReadWhateverElseItHolds() {
        byte[] newer = "{\"format\":3,\"who\":{\"changed\":true}}".getBytes(UTF_8);

        assertThatThrownBy(() -> Json.read(newer, Sample.class, 2, "/latchkey/leader"))
                .isInstanceOf(FormatTooNewException.class)
                .hasMessageContaining("/latchkey/leader is of format 3")
                .hasMessageContaining("up to 2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "garbage",
                "[]",
                "7",
                "{}",
                "{\"format\":0}",
                "{\"format\":\"1\"}",
                "{\"format\":1.5}",
                "{\"format\":99999999999}",
                "{\"format\":1,\"who\":\"me\",\"since\":\"yesterday\"}",
                "{\"format\":1,\"who\":\"me\"} trailing",
                "{\"format\":1,\"who\":\"me\""
            })
    void garbageIsNamedWithItsPath(String text) {
        assertThatThrownBy(() -> Json.read(text.getBytes(UTF_8), Sample.class, 2, "/latchkey/triggers/g/t"))
                .isInstanceOf(MalformedRecordException.class)
                .hasMessageStartingWith("/latchkey/triggers/g/t is damaged: it")
                .message()
                .as("nothing of the parser's, none of our classes")
                .doesNotContain("Sample", "REDACTED", "token", "Unexpected", "com.fasterxml");
    }

    @Test
    void bytesThatAreNoTextAreGarbage() {
        assertThatThrownBy(() -> Json.read(new byte[] {0, (byte) 0xff, 3}, Sample.class, 2, "/x"))
                .isInstanceOf(MalformedRecordException.class);
    }
}
