package io.latchkey.jobs.shell;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.latchkey.testing.LogCapture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OutputLogTest {
    private final AtomicLong nanos = new AtomicLong(1);
    private final OutputLog output = new OutputLog(nanos::get);

    @Test
    void steadyFloodIsLoggedAtItsRateAndTheRestCounted() {
        try (LogCapture log = LogCapture.of(OutputLog.LOGGER)) {
            String line = "x".repeat(1000);
            int seconds = 600;
            for (int i = 0; i < seconds * 100; i++) {
                output.line(line);
                nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(10));
            }
            output.end();

            long logged = log.messages(Level.INFO).size() * 1000L;
            assertThat(logged)
                    .isBetween(seconds * OutputLog.PER_SECOND / 2, OutputLog.BURST + seconds * OutputLog.PER_SECOND);
            long leftOut = log.messages(Level.WARN).stream()
                    .mapToLong(message -> Long.parseLong(message.substring(1, message.indexOf(' '))))
                    .sum();
            assertThat(leftOut + logged / 1000).isEqualTo(seconds * 100L);
            assertThat(log.messages(Level.WARN)).hasSizeLessThan(seconds / 3);
        }
    }

    @Test
    void slowOutputIsLoggedWhole() {
        try (LogCapture log = LogCapture.of(OutputLog.LOGGER)) {
            for (int i = 0; i < 10_000; i++) {
                output.line("line " + i);
                nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
            }
            output.end();

            assertThat(log.events()).hasSize(10_000);
        }
    }

    @Test
    void lastLineIsTheLastThatSaysSomethingAndHarmless() {
        output.line("\u001b[31mfailed\u001b[0m: " + "x".repeat(500));
        output.line("  ");

        assertThat(output.lastLine())
                .startsWith("failed: xxx")
                .hasSizeLessThan(250)
                .endsWith("…");
    }
}
