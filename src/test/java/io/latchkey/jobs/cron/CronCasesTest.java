package io.latchkey.jobs.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of the table of real-life expressions holds. */
class CronCasesTest {
    record Row(String id, String expression, ZoneId zone, Instant after, String verdict, List<OffsetDateTime> fires) {
        static Row of(String line) {
            String[] cells = line.split("\t", -1);
            List<OffsetDateTime> fires = cells[5].isEmpty()
                    ? List.of()
                    : Arrays.stream(cells[5].split(" ", -1))
                            .map(OffsetDateTime::parse)
                            .toList();
            return new Row(
                    cells[0],
                    cells[1].replace("<TAB>", "\t"),
                    ZoneId.of(cells[2]),
                    OffsetDateTime.parse(cells[3]).toInstant(),
                    cells[4],
                    fires);
        }

        @Override
        public String toString() {
            return id + " " + expression + " " + zone;
        }
    }

    static Stream<Row> rows() throws IOException {
        try (InputStream in = Objects.requireNonNull(
                CronCasesTest.class.getResourceAsStream("/cases/cron/cron-cases.tsv"), "the table of cases")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().skip(1).map(Row::of).toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void rowHolds(Row row) {
        switch (row.verdict()) {
            case "reject" ->
                assertThatThrownBy(() -> CronSchedule.parse(row.expression())).isInstanceOf(CronException.class);
            case "never" ->
                assertThat(CronSchedule.parse(row.expression()).next(row.after(), row.zone()))
                        .isEmpty();
            case "fires" -> firesAsTheTableSays(row);
            default -> throw new AssertionError("unknown verdict " + row.verdict());
        }
    }

    private static void firesAsTheTableSays(Row row) {
        CronSchedule schedule = CronSchedule.parse(row.expression());
        List<Instant> expected =
                row.fires().stream().map(OffsetDateTime::toInstant).toList();
        Instant last = expected.get(expected.size() - 1);
        List<Instant> forwards = Stream.iterate(
                        schedule.next(row.after(), row.zone()).orElseThrow(),
                        slot -> schedule.next(slot, row.zone()).orElse(Instant.MAX))
                .limit(expected.size())
                .toList();
        assertThat(forwards).isEqualTo(expected);
        assertThat(schedule.countBetween(row.after().plusNanos(1), last, row.zone()))
                .isEqualTo(expected.size());
        assertThat(schedule.previous(last.plusMillis(999), row.zone())).contains(last);
        for (int i = 1; i < expected.size(); i++) {
            assertThat(schedule.previous(expected.get(i).minusNanos(1), row.zone()))
                    .contains(expected.get(i - 1));
        }
    }
}
