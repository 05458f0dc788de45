package io.latchkey.jobs.shell;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Cuts a stream of bytes into lines: at a line feed, a carriage return, or both. A long line is cut, and what goes beyond is
 * dropped, so that no output takes more memory than one line. Lines that begin with the mark are the wrapper's, each with an
 * empty line before it, since the program may have left one unfinished. Used by one thread.
 */
final class OutputReader {
    static final int MAX_LINE = 4 * 1024;

    private final InputStream in;
    private final String mark;
    private final Consumer<String> lines;
    private final Consumer<String> reports;
    private final byte[] line = new byte[MAX_LINE];
    private int length;
    private long dropped;
    private boolean afterReturn;
    private boolean heldEmpty;
    private boolean ended;

    /**
     * @param mark one word; what begins with it and a space goes to {@code reports}, without both
     * @param lines gets all else
     */
    OutputReader(InputStream in, String mark, Consumer<String> lines, Consumer<String> reports) {
        this.in = in;
        this.mark = mark + " ";
        this.lines = lines;
        this.reports = reports;
    }

    /** Reads until the stream ends, or a report was the {@code last} one. */
    void readUntil(String last) throws IOException {
        byte[] buffer = new byte[16 * 1024];
        for (int n = in.read(buffer); n >= 0 && !ended; n = in.read(buffer)) {
            for (int i = 0; i < n && !ended; i++) {
                take(buffer[i], last);
            }
            if (ended) {
                return;
            }
        }
        if (length > 0) {
            endLine(last);
        }
        if (heldEmpty) {
            lines.accept("");
        }
    }

    private void take(byte b, String last) {
        boolean secondOfTwo = b == '\n' && afterReturn;
        afterReturn = b == '\r';
        if (secondOfTwo) {
            return;
        }
        if (b == '\n' || b == '\r') {
            endLine(last);
        } else if (length < MAX_LINE) {
            line[length++] = b;
        } else {
            dropped++;
        }
    }

    private void endLine(String last) {
        String text = new String(line, 0, length, StandardCharsets.UTF_8);
        if (dropped > 0) {
            text += "… (" + dropped + " bytes more in this line)";
        }
        length = 0;
        dropped = 0;
        if (text.startsWith(mark)) {
            heldEmpty = false;
            String report = text.substring(mark.length());
            ended = report.equals(last);
            reports.accept(report);
            return;
        }
        if (heldEmpty) {
            lines.accept("");
        }
        heldEmpty = text.isEmpty();
        if (!heldEmpty) {
            lines.accept(text);
        }
    }
}
