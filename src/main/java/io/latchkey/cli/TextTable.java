package io.latchkey.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows in aligned columns. Cells must be harmless already: see {@link Printable}. Where a terminal is too narrow for them,
 * cells are broken at blanks and long names cut in the middle; where that is not enough, each row is a block of lines.
 */
final class TextTable {
    private static final String GAP = "  ";
    /** An instant to the second and a comma: never cut. */
    private static final int TIME_WIDTH = 21;
    /** What is left of a name must tell it from others. */
    private static final int NAME_WIDTH = 10;

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

    /** Adds a line of its own, across all columns. */
    void note(String text, Tint tint) {
        rows.add(List.of(new Cell(text, tint)));
    }

    boolean isEmpty() {
        return rows.size() == 1;
    }

    /** As wide as the terminal is, where the launcher has told; else as wide as it takes. */
    void print(PrintWriter out, boolean coloured) {
        print(out, coloured, Integer.getInteger("latchkey.columns", Integer.MAX_VALUE));
    }

    /** @param limit columns of the terminal */
    void print(PrintWriter out, boolean coloured, int limit) {
        int[] widths = new int[rows.get(0).size()];
        int[] least = new int[widths.length];
        for (List<Cell> row : rows) {
            // A note goes across the columns and makes none wider.
            for (int column = 0; row.size() == widths.length && column < widths.length; column++) {
                String text = row.get(column).text();
                widths[column] = Math.max(widths[column], Printable.width(text));
                least[column] = Math.max(least[column], leastWidth(text));
            }
        }
        if (fit(widths, least, limit)) {
            rows.forEach(row -> printRow(row, widths, coloured, out));
        } else {
            rows.subList(1, rows.size()).forEach(row -> printBlock(row, coloured, limit, out));
        }
    }

    private static int leastWidth(String text) {
        int least = 0;
        for (String word : text.split(" ", -1)) {
            boolean time = !word.isEmpty() && Character.isDigit(word.charAt(0));
            least = Math.max(least, Math.min(Printable.width(word), time ? TIME_WIDTH : NAME_WIDTH));
        }
        return least;
    }

    /** Narrows the widest columns, as long as they can be; false if it cannot be done. */
    private static boolean fit(int[] widths, int[] least, int limit) {
        long over = Arrays.stream(widths).asLongStream().sum() + (long) GAP.length() * (widths.length - 1) - limit;
        for (; over > 0; over--) {
            int widest = -1;
            for (int column = 0; column < widths.length; column++) {
                if (widths[column] > least[column] && (widest < 0 || widths[column] > widths[widest])) {
                    widest = column;
                }
            }
            if (widest < 0) {
                return false;
            }
            widths[widest]--;
        }
        return true;
    }

    private static void printRow(List<Cell> row, int[] widths, boolean coloured, PrintWriter out) {
        if (row.size() < widths.length) {
            Cell note = row.get(0);
            out.println(coloured ? note.tint().on(note.text()) : note.text());
            return;
        }
        List<List<String>> broken = new ArrayList<>();
        int height = 1;
        for (int column = 0; column < widths.length; column++) {
            List<String> lines = broken(row.get(column).text(), widths[column]);
            height = Math.max(height, lines.size());
            broken.add(lines);
        }
        for (int at = 0; at < height; at++) {
            StringBuilder line = new StringBuilder();
            StringBuilder blank = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                List<String> lines = broken.get(column);
                String text = at < lines.size() ? lines.get(at) : "";
                if (!text.isEmpty()) {
                    // Blanks go out only before something: no line ends in them.
                    line.append(blank).append(coloured ? row.get(column).tint().on(text) : text);
                    blank.setLength(0);
                }
                blank.append(" ".repeat(widths[column] - Printable.width(text))).append(GAP);
            }
            out.println(line);
        }
    }

    /** A line for each cell, under its heading; a blank line after. */
    private void printBlock(List<Cell> row, boolean coloured, int limit, PrintWriter out) {
        List<Cell> headings = rows.get(0);
        if (row.size() < headings.size()) {
            printRow(row, new int[headings.size()], coloured, out);
            out.println();
            return;
        }
        int label = headings.stream()
                .mapToInt(heading -> Printable.width(heading.text()))
                .max()
                .orElse(0);
        int[] widths = {label, Math.max(TIME_WIDTH, limit - label - GAP.length())};
        for (int column = 0; column < row.size(); column++) {
            if (!row.get(column).text().isEmpty()) {
                printRow(List.of(headings.get(column), row.get(column)), widths, coloured, out);
            }
        }
        out.println();
    }

    private static List<String> broken(String text, int width) {
        if (Printable.width(text) <= width) {
            return List.of(text);
        }
        List<String> lines = new ArrayList<>();
        String line = "";
        for (String word : text.split(" ", -1)) {
            String whole = cut(word, width);
            String longer = line.isEmpty() ? whole : line + " " + whole;
            if (Printable.width(longer) <= width) {
                line = longer;
            } else {
                lines.add(line);
                line = whole;
            }
        }
        lines.add(line);
        return lines;
    }

    /** Its beginning and its end, which tell most names apart, around an ellipsis. */
    private static String cut(String word, int width) {
        if (Printable.width(word) <= width) {
            return word;
        }
        int[] letters = word.codePoints().toArray();
        int left = 0;
        int right = letters.length;
        String shown = "…";
        while (true) {
            boolean front = left <= letters.length - right;
            String longer = new String(letters, 0, front ? left + 1 : left) + "…"
                    + new String(letters, front ? right : right - 1, letters.length - (front ? right : right - 1));
            if (Printable.width(longer) > width) {
                return shown;
            }
            shown = longer;
            if (front) {
                left++;
            } else {
                right--;
            }
        }
    }
}
