package io.latchkey.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows in aligned columns. Cells must be harmless already: see {@link Printable}. */
final class TextTable {
    private static final String GAP = "  ";

    private final List<List<Cell>> rows = new ArrayList<>();

    /** One cell. */
    record Cell(String text, Tint tint) {
        static final Cell NONE = new Cell("-", Tint.FAINT);
        static final Cell EMPTY = new Cell("", Tint.PLAIN);

        static Cell of(Object text) {
            return new Cell(text.toString(), Tint.PLAIN);
        }
    }

    TextTable(String... headings) {
        rows.add(Arrays.stream(headings)
                .map(heading -> new Cell(heading, Tint.BOLD))
                .toList());
    }

    /** Adds a row of as many cells as there are headings. */
    void add(Cell... cells) {
        if (cells.length != rows.get(0).size()) {
            throw new IllegalArgumentException(
                    cells.length + " cells in a table of " + rows.get(0).size());
        }
        rows.add(List.of(cells));
    }

    boolean isEmpty() {
        return rows.size() == 1;
    }

    void print(PrintWriter out, boolean coloured) {
        int[] widths = new int[rows.get(0).size()];
        for (List<Cell> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] =
                        Math.max(widths[column], Printable.width(row.get(column).text()));
            }
        }
        for (List<Cell> row : rows) {
            StringBuilder line = new StringBuilder();
            StringBuilder blank = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                Cell cell = row.get(column);
                if (!cell.text().isEmpty()) {
                    // Blanks go out only before something: no line ends in them.
                    line.append(blank).append(coloured ? cell.tint().on(cell.text()) : cell.text());
                    blank.setLength(0);
                }
                blank.append(" ".repeat(widths[column] - Printable.width(cell.text())))
                        .append(GAP);
            }
            out.println(line);
        }
    }
}
