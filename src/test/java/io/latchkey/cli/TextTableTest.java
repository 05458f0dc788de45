package io.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.cli.TextTable.Cell;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class TextTableTest {
    private static final Instant NOON = Instant.parse("2026-11-29T12:00:00Z");

    @Test
    void columnsAreAlignedAndNoLineEndsInBlanks() {
        TextTable table = new TextTable("job", "next", "note");
        table.add(Cell.of("a"), Cell.of("soon"), Cell.EMPTY);
        table.add(Cell.of("longer"), Cell.NONE, Cell.of("x"));

        assertThat(print(table, false)).isEqualTo("""
            job     next  note
            a       soon
            longer  -     x
            """);
    }

    @Test
    void wideLettersTakeTwoColumns() {
        TextTable table = new TextTable("job", "next");
        table.add(Cell.of("数据"), Cell.of("x"));

        assertThat(print(table, false)).isEqualTo("job   next\n数据  x\n");
    }

    @Test
    void coloursDoNotMoveColumns() {
        TextTable table = new TextTable("a", "b");
        table.add(new Cell("x", Tint.RED), Cell.of("y"));

        String coloured = print(table, true);

        assertThat(coloured).contains("\u001b[31mx\u001b[0m");
        assertThat(coloured.replaceAll("\u001b\\[\\d*m", "")).isEqualTo(print(table, false));
    }

    @Test
    void narrowTerminalBreaksCellsAtBlanksAndCutsLongNamesInTheMiddle() {
        TextTable table = new TextTable("job", "next fire");
        table.add(Cell.of("reports.month-end-closing-for-europe"), Cell.of("2026-11-29T12:00:00Z, in 5 s"));

        assertThat(print(table, false, 44)).isEqualTo("""
            job                    next fire
            reports.mo…for-europe  2026-11-29T12:00:00Z,
                                   in 5 s
            """);
        assertThat(print(table, false, 30)).as("too narrow for columns").isEqualTo("""
            job        reports.mo…for-europe
            next fire  2026-11-29T12:00:00Z,
                       in 5 s

            """);
    }

    @Test
    void outputThatIsNoTerminalHasNoColours() {
        assertThat(Tint.wanted()).isFalse();
    }

    @Test
    void timesSayWhenAndHowFarAway() {
        assertThat(Times.relative(NOON, NOON.plusSeconds(5))).isEqualTo("2026-11-29T12:00:00Z, 5 s ago");
        assertThat(Times.relative(NOON, NOON.minusMillis(4200))).isEqualTo("2026-11-29T12:00:00Z, in 5 s");
        assertThat(Times.relative(NOON, NOON)).isEqualTo("2026-11-29T12:00:00Z, 0 s ago");
        assertThat(Times.took(Duration.ofMillis(12))).isEqualTo("12 ms");
        assertThat(Times.took(Duration.ofMillis(20_060))).isEqualTo("20.1 s");
        assertThat(Times.took(Duration.ofSeconds(125))).isEqualTo("2 min 5 s");
    }

    private static String print(TextTable table, boolean coloured) {
        return print(table, coloured, Integer.MAX_VALUE);
    }

    private static String print(TextTable table, boolean coloured, int limit) {
        StringWriter out = new StringWriter();
        PrintWriter writer = new PrintWriter(out);
        table.print(writer, coloured, limit);
        writer.flush();
        return out.toString().replace(System.lineSeparator(), "\n");
    }
}
