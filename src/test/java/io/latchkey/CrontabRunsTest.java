package io.latchkey;

import static io.latchkey.Scene.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A crontab dropped into a conf directory that holds nothing else runs. */
class CrontabRunsTest {
    @TempDir
    Path dir;

    @Test
    void aLineRunsAtItsMinuteWithItsVariablesItsInputAndItsHome() throws Exception {
        Path conf = Files.createDirectories(dir.resolve("conf"));
        Path home = Files.createDirectories(dir.resolve("home"));
        Files.writeString(conf.resolve("crontab"), """
            HOME=%s
            GREETING="good morning"
            # latchkey: name=say
            * * * * * (echo "$GREETING $LATCHKEY_JOB $LATCHKEY_SCHEDULED_TIME"; cat) > said.new && mv said.new said%%a%%b
            """.formatted(home));
        // In the past, so that the instance's clock is not ahead of the one Quartz reads.
        Instant minute = Instant.now().truncatedTo(ChronoUnit.MINUTES).minus(1, ChronoUnit.HOURS);
        try (Scene scene = new Scene()) {
            scene.planted().leftAt(Scene.catalog(conf), minute.minus(1, ChronoUnit.DAYS), minute.minusSeconds(3));
            scene.lead(conf, "a", ShiftedClock.showing(minute).time());
            patiently().until(() -> Files.exists(home.resolve("said")));

            assertThat(Files.readString(home.resolve("said")))
                    .isEqualTo("good morning crontab.say " + minute + "\na\nb\n");
        }
    }
}
