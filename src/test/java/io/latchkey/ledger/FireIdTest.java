package io.latchkey.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.quartz.TriggerKey;

class FireIdTest {
    private static final Instant NOON = Instant.parse("2026-11-29T12:00:00Z");

    @Test
    void readsAsItIsWritten() {
        assertThat(new FireId(new TriggerKey("tick-2s", "ops"), NOON)).hasToString("ops.tick-2s@2026-11-29T12:00:00Z");
    }

    @Test
    void milliseconds() {
        assertThat(new FireId(new TriggerKey("t", "g"), NOON.plusMillis(300)))
                .hasToString("g.t@2026-11-29T12:00:00.300Z");
    }

    @Test
    void nonAsciiStaysReadable() {
        assertThat(new FireId(new TriggerKey("Größe 早", "büro"), NOON)).hasToString("büro.Größe 早@" + NOON);
    }

    @Test
    void whatWouldBeAmbiguousIsEncoded() {
        FireId id = new FireId(new TriggerKey("a/b@c.d%", "x.y"), NOON);
        assertThat(id).hasToString("x%2Ey.a%2Fb%40c.d%25@" + NOON);
        assertThat(FireId.parse(id.toString())).isEqualTo(id);
    }

    @Test
    void everyIdParsesBackAndNoTwoShareOneText() {
        Random random = new Random(20261129);
        String alphabet = "ab.%/@ \u0001\u007f\u00e4\u65e9\u2028\uffff25EF";
        Map<String, FireId> seen = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            TriggerKey key = new TriggerKey(word(random, alphabet), word(random, alphabet));
            FireId id = new FireId(key, NOON.plusMillis(random.nextInt(3)));
            assertThat(FireId.parse(id.toString())).isEqualTo(id);
            FireId other = seen.put(id.toString(), id);
            assertThat(other == null || other.equals(id)).isTrue();
        }
    }

    @Test
    void garbageIsRefused() {
        for (String text :
                new String[] {"", "a.b", "a@2026-11-29T12:00:00Z", "a.b@noon", "a.%4@2026-11-29T12:00:00Z"}) {
            assertThatThrownBy(() -> FireId.parse(text)).as(text).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static String word(Random random, String alphabet) {
        StringBuilder out = new StringBuilder();
        for (int n = 1 + random.nextInt(6); n > 0; n--) {
            out.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return out.toString();
    }
}
