package io.latchkey.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.CursorWrite;
import io.latchkey.ledger.Skipped;
import io.latchkey.ledger.WriteResult;
import io.latchkey.testing.LogCapture;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

class SkipsAreLoggedOnceOnRecordTest {
    private static final Instant SLOT = Instant.parse("2026-11-29T12:00:00Z");
    private static final TriggerKey TRIGGER = new TriggerKey("hourly", "reports");

    private final CursorWrite write = new CursorWrite.Put(
            Cursor.first(TRIGGER, new JobKey("report", "reports"), "f", new Cursor.Anchor(SLOT, -1), SLOT),
            Optional.of(new Skipped(TRIGGER, new JobKey("report", "reports"), SLOT, SLOT, 1, "missed")));

    @Test
    void confirmedWriteIsLogged() {
        assertThat(logged(new WriteResult.Written(Map.of())))
                .singleElement()
                .satisfies(line -> assertThat(line).contains("reports.hourly", "is skipped"));
    }

    @Test
    void writesThatDoNotStandAreNot() {
        assertThat(logged(new WriteResult.Written(Map.of(TRIGGER, "too large"))))
                .isEmpty();
        assertThat(logged(new WriteResult.Fenced("another term began"))).isEmpty();
        assertThat(logged(new WriteResult.GivenUp("no answer"))).isEmpty();
    }

    private List<String> logged(WriteResult result) {
        try (LogCapture log = LogCapture.of(Claims.class)) {
            Claims.logSkips(List.of(write), result);
            return log.messages();
        }
    }
}
