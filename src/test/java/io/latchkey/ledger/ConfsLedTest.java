package io.latchkey.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class ConfsLedTest {
    private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

    private static ConfsLed led(String... confs) {
        ConfsLed all = ConfsLed.NONE;
        for (String conf : confs) {
            all = all.then(conf, NOW, "a", false);
        }
        return all;
    }

    @Test
    void whatLedBeforeAndWasReplacedIsOlder() {
        assertThat(led("one", "two").last().orElseThrow().backFrom()).isNull();
        assertThat(led("one", "two", "one").last().orElseThrow().backFrom()).isEqualTo("two");
        assertThat(led("one", "two", "one", "three").last().orElseThrow().backFrom())
                .isNull();
        assertThat(led("one", "two", "one", "two").last().orElseThrow().backFrom())
                .isEqualTo("one");
    }

    @Test
    void whatWasReloadedIsMeantButWhoDoesNotHaveItIsOlder() {
        ConfsLed rolledBack = led("one", "two").then("one", NOW, "a", true);
        assertThat(rolledBack.last().orElseThrow().backFrom()).isNull();
        assertThat(rolledBack.then("two", NOW, "b", false).last().orElseThrow().backFrom())
                .isEqualTo("one");
    }

    @Test
    void itIsBoundedAndEachIsThereOnce() {
        String[] many = new String[100];
        for (int i = 0; i < many.length; i++) {
            many[i] = "conf" + i % 40;
        }
        ConfsLed all = led(many);
        assertThat(all.led()).hasSize(20).extracting(ConfsLed.Led::conf).doesNotHaveDuplicates();
        assertThat(all.last().orElseThrow().conf()).isEqualTo("conf19");
    }

    @Test
    void itReadsAsItWasWritten() {
        ConfsLed all = led("one", "two", "one");
        assertThat(LedgerJson.read(LedgerJson.write(all), ConfsLed.class, "/confs"))
                .isEqualTo(all);
    }
}
