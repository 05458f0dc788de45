package io.latchkey.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

class LedgerJsonTest {
    private static final Instant NOON = Instant.parse("2026-11-29T12:00:00Z");

    @Test
    void cursorReadsLikeThis() {
        Cursor cursor = Cursor.first(
                        new TriggerKey("tick", "ops"),
                        new JobKey("print", "ops"),
                        "abc",
                        new Cursor.Anchor(NOON, -1),
                        NOON)
                .claimed(NOON, NOON.plusSeconds(2));
        assertThat(text(cursor))
                .isEqualTo("{\"format\":1,\"trigger\":\"ops.tick\",\"job\":\"ops.print\",\"fingerprint\":\"abc\","
                        + "\"anchor\":{\"start\":\"2026-11-29T12:00:00Z\",\"repeatCount\":-1},"
                        + "\"place\":{\"next\":\"2026-11-29T12:00:02Z\",\"previous\":\"2026-11-29T12:00:00Z\","
                        + "\"timesFired\":1}}");
        assertThat(LedgerJson.read(LedgerJson.write(cursor), Cursor.class, "/x"))
                .isEqualTo(cursor);
    }

    @Test
    void everyRecordComesBack() {
        Attempt first = new Attempt(1, new Owner("a", "0x1", 3, 77), "n1", NOON);
        Attempt second = new Attempt(2, new Owner("b", "0x2", 4, 99), "n2", NOON.plusSeconds(9));
        RunningRecord running = RunningRecord.claimed(
                new FireId(new TriggerKey("t/1", "g.h"), NOON),
                new JobKey("j", "g"),
                new RunInfo(true, true, new Missed(4, NOON, true), Map.of("k", "v")),
                first);
        RunningRecord done = running.retaken(second)
                .done(Outcome.failed(Outcome.Kind.FAILED, NOON, Duration.ofMillis(1500), "boom"));
        Request request = Request.trigger(new JobKey("j", "g"), Map.of("a", "b"), "cli", NOON)
                .named("request-1");
        Paused paused = new Paused(true, Set.of(new JobKey("j", "g")), Set.of(new TriggerKey("t", "g")));
        History history = History.EMPTY.with(List.of(done), 50);
        RunningRecord waiting = running.again(
                Outcome.failed(Outcome.Kind.FAILED, NOON, Duration.ofMillis(1500), "boom")
                        .saying("3 rows"),
                new Retry(NOON.plusSeconds(10), NOON.plusSeconds(60)));
        for (Object record : List.of(running, running.released(), waiting, done, request, paused, history)) {
            assertThat(LedgerJson.read(LedgerJson.write(record), record.getClass(), "/x"))
                    .isEqualTo(record);
        }
    }

    @Test
    void waitingRetryIsToAVersionThatKnowsNoneTheNextAttemptGivenBack() {
        RunningRecord waiting = RunningRecord.claimed(
                        new FireId(new TriggerKey("t", "g"), NOON),
                        new JobKey("j", "g"),
                        new RunInfo(false, false, Missed.NONE, Map.of()),
                        new Attempt(1, new Owner("a", "0x1", 3, 77), "n1", NOON))
                .again(
                        Outcome.failed(Outcome.Kind.FAILED, NOON.plusSeconds(1), Duration.ofSeconds(1), "boom"),
                        new Retry(NOON.plusSeconds(11), null));

        assertThat(text(waiting))
                .startsWith("{\"format\":1,")
                .contains(
                        "\"current\":{\"number\":2,",
                        "\"retry\":{\"notBefore\":\"2026-11-29T12:00:11Z\"}",
                        "\"ended\":{\"kind\":\"FAILED\"",
                        "\"error\":\"boom\"",
                        "\"state\":\"RELEASED\"");
    }

    @Test
    void newerFormatIsNotRead() {
        byte[] newer = "{\"format\":2,\"all\":false}".getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> LedgerJson.read(newer, Paused.class, "/latchkey/paused"))
                .isInstanceOf(FormatTooNewException.class)
                .hasMessageContaining("/latchkey/paused");
    }

    @Test
    void unknownFieldsOfTheSameFormatAreIgnored() {
        byte[] data = "{\"format\":1,\"all\":true,\"jobs\":[],\"triggers\":[],\"colour\":\"red\"}"
                .getBytes(StandardCharsets.UTF_8);
        assertThat(LedgerJson.read(data, Paused.class, "/p").all()).isTrue();
    }

    @Test
    void garbageNamesItsPath() {
        for (String garbage : List.of("", "null", "[]", "{", "{\"format\":1,\"trigger\":\"nodot\"}", "hello")) {
            assertThatThrownBy(() ->
                            LedgerJson.read(garbage.getBytes(StandardCharsets.UTF_8), Cursor.class, "/triggers/g/t"))
                    .as(garbage)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("/triggers/g/t");
        }
    }

    @Test
    void recordThatLacksAFieldItMustHaveIsDamaged() throws Exception {
        RunningRecord waiting = RunningRecord.claimed(
                        new FireId(new TriggerKey("t", "g"), NOON),
                        new JobKey("j", "g"),
                        new RunInfo(true, true, new Missed(4, NOON, true), Map.of("k", "v")),
                        new Attempt(1, new Owner("a", "0x1", 3, 77), "n1", NOON))
                .again(
                        Outcome.failed(Outcome.Kind.FAILED, NOON, Duration.ZERO, "boom"),
                        new Retry(NOON.plusSeconds(10), NOON.plusSeconds(60)));
        Cursor cursor = Cursor.first(
                        new TriggerKey("t", "g"), new JobKey("j", "g"), "abc", new Cursor.Anchor(NOON, -1), NOON)
                .claimed(NOON, NOON.plusSeconds(2));
        Request request = new Request("", Request.Kind.PAUSE, null, null, Map.of(), "cli", NOON);

        assertThat(fieldsThatMayLack(waiting))
                .containsExactlyInAnyOrder("error", "ended", "retry", "first", "notAfter");
        assertThat(fieldsThatMayLack(cursor)).containsExactlyInAnyOrder("next", "previous");
        assertThat(fieldsThatMayLack(request)).isEmpty();
    }

    /** Of those that are no numbers and no switches. */
    private static Set<String> fieldsThatMayLack(Object record) throws Exception {
        Set<String> out = new TreeSet<>();
        ObjectNode whole = (ObjectNode) Json.mapper().readTree(LedgerJson.write(record));
        for (String pointer : pointers("", whole)) {
            ObjectNode without = whole.deepCopy();
            int slash = pointer.lastIndexOf('/');
            String field = pointer.substring(slash + 1);
            ((ObjectNode) without.at(pointer.substring(0, slash))).remove(field);
            byte[] data = Json.mapper().writeValueAsBytes(without);
            try {
                LedgerJson.read(data, record.getClass(), "/x");
                out.add(field);
            } catch (IllegalArgumentException e) {
                assertThat(e).as(pointer).hasMessageContaining("missing").hasMessageNotContaining("Cannot invoke");
            }
        }
        return out;
    }

    private static List<String> pointers(String at, JsonNode node) {
        List<String> out = new ArrayList<>();
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                out.addAll(pointers(at + "/" + i, node.get(i)));
            }
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            String pointer = at + "/" + field.getKey();
            boolean primitive = field.getValue().isNumber() || field.getValue().isBoolean();
            if (!primitive && !pointer.endsWith("/k")) {
                out.add(pointer);
                out.addAll(pointers(pointer, field.getValue()));
            }
        }
        return out;
    }

    @Test
    void timeThatNoCalendarHoldsIsDamage() {
        String cursor = text(
                Cursor.first(new TriggerKey("t", "g"), new JobKey("j", "g"), "abc", new Cursor.Anchor(NOON, -1), NOON));
        byte[] damaged =
                cursor.replace("\"next\":\"2026", "\"next\":\"+1000000026").getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> LedgerJson.read(damaged, Cursor.class, "/triggers/g/t"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"place.next\"");
    }

    @Test
    void jobDataKeepsItsTypes() {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("int", 5);
        data.put("long", 5L);
        data.put("big", Long.MAX_VALUE);
        data.put("double", 2.0d);
        data.put("nan", Double.NaN);
        data.put("float", 1.5f);
        data.put("short", (short) 3);
        data.put("byte", (byte) 4);
        data.put("char", 'ü');
        data.put("boolean", true);
        data.put("text", "t");
        data.put("null", null);
        byte[] written = LedgerJson.write(JobData.of(data));
        assertThat(LedgerJson.read(written, JobData.class, "/j").values()).isEqualTo(data);
    }

    @Test
    void jobDataThatIsNoScalarIsRefusedByName() {
        assertThatThrownBy(() -> JobData.of(Map.of("list", List.of(1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"list\"");
    }

    @Test
    void errorTextIsCutToBytesNotInsideACharacter() {
        Outcome outcome = Outcome.failed(Outcome.Kind.FAILED, NOON, Duration.ZERO, "é".repeat(5000));
        String error = String.valueOf(outcome.error());
        assertThat(error.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(Outcome.MAX_ERROR_BYTES);
        assertThat(error).endsWith("é…");
    }

    @Test
    void historyKeepsTheNewestAndStaysWithinItsBytes() {
        History history = History.EMPTY;
        for (int i = 0; i < 200; i++) {
            RunningRecord record = RunningRecord.claimed(
                            new FireId(new TriggerKey("t", "g"), NOON.plusSeconds(i)),
                            new JobKey("j", "g"),
                            new RunInfo(false, false, Missed.NONE, Map.of()),
                            new Attempt(1, new Owner("a", "0x1", 1, 1), "n", NOON))
                    .done(Outcome.failed(
                            Outcome.Kind.FAILED, NOON.plusSeconds(i), Duration.ofSeconds(1), "x".repeat(1000)));
            history = history.with(List.of(record), 50).with(List.of(record), 50);
        }
        assertThat(history.entries()).hasSize(50);
        assertThat(history.entries().get(49).id().slot()).isEqualTo(NOON.plusSeconds(199));
        assertThat(LedgerJson.write(history)).hasSizeLessThanOrEqualTo(History.MAX_BYTES);
    }

    private static String text(Object record) {
        return new String(LedgerJson.write(record), StandardCharsets.UTF_8);
    }
}
