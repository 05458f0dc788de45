package io.latchkey.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class OutputTailTest {
    @Test
    void keepsLinesAndTabsAndDropsWhatSteersATerminal() {
        assertThat(OutputTail.of("a\tb\r\n\u001b[1;31mred\u001b[0m\u0007 \u202eend\u0000\n\n"))
                .isEqualTo("a\tb\nred end");
    }

    @Test
    void keepsTheEndAndSplitsNoCharacter() {
        String kept = OutputTail.of("ä".repeat(5000) + "the end");

        assertThat(kept).startsWith("…ä").endsWith("äthe end").doesNotContain("\ufffd");
        assertThat(kept.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(2040, OutputTail.MAX_BYTES);
    }
}
