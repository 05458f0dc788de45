package io.latchkey.jobs.shell;

import io.latchkey.jobs.OutputTail;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a program writes, line by line: to the log, bounded in rate so that a flood fills neither the disk nor pushes all
 * else out of the log, and its end in memory, for the history. Lines left out are counted, and that is said.
 *
 * <p>It logs to {@value #LOGGER}, a logger of its own that logback.xml can send elsewhere or switch off; the run's job and
 * fire are in the MDC. Thread-safe.
 */
public final class OutputLog {
    public static final String LOGGER = "io.latchkey.jobs.output";

    /** What a run may log at once. */
    static final long BURST = 256 * 1024;
    /** What it may log each second beyond that. */
    static final long PER_SECOND = 4 * 1024;
    /** Once it was too much, so much must be free again before lines are logged: whole stretches, not every other line. */
    private static final long RESUME = 16 * 1024;
    /** What a line costs beside its own length. */
    private static final long OVERHEAD = 150;

    private static final int TAIL_CHARS = 4 * OutputTail.MAX_BYTES;
    private static final int LAST_LINE_CHARS = 200;
    private static final Logger log = LoggerFactory.getLogger(LOGGER);

    private final LongSupplier nanos;
    private final Deque<String> tail = new ArrayDeque<>();
    private int tailChars;
    private long free = BURST;
    private long refilled;
    private long leftOutLines;
    private long leftOutChars;
    private String last = "";

    public OutputLog() {
        this(System::nanoTime);
    }

    OutputLog(LongSupplier nanos) {
        this.nanos = nanos;
        this.refilled = nanos.getAsLong();
    }

    /** Takes one line, without its end. */
    public synchronized void line(String line) {
        remember(line);
        refill();
        long cost = line.length() + OVERHEAD;
        if (free < (leftOutLines > 0 ? RESUME : cost)) {
            leftOutLines++;
            leftOutChars += line.length() + 1;
            return;
        }
        sayLeftOut();
        free -= cost;
        log.info("{}", OutputTail.clean(line));
    }

    /** No more lines come. */
    public synchronized void end() {
        sayLeftOut();
    }

    /** The last lines, as they came; a few kilobytes. */
    public synchronized String tail() {
        return String.join("\n", tail);
    }

    /** The last line that says something, cut where it is long; empty if none does. */
    public synchronized String lastLine() {
        String clean = OutputTail.clean(last).strip();
        return clean.length() <= LAST_LINE_CHARS ? clean : clean.substring(0, LAST_LINE_CHARS) + "…";
    }

    private void remember(String line) {
        if (!line.isBlank()) {
            last = line;
        }
        tail.addLast(line);
        tailChars += line.length() + 1;
        while (tailChars > TAIL_CHARS && tail.size() > 1) {
            tailChars -= tail.removeFirst().length() + 1;
        }
    }

    private void refill() {
        long now = nanos.getAsLong();
        long earned = (now - refilled) / 1000 * PER_SECOND / 1_000_000;
        if (earned > 0) {
            free = Math.min(BURST, free + earned);
            refilled = now;
        }
    }

    private void sayLeftOut() {
        if (leftOutLines > 0) {
            log.warn(
                    "({} lines, {} of output are left out here: it came faster than the log takes it. The end goes to"
                            + " the history; let the job write to a file of its own what is to be kept)",
                    leftOutLines,
                    size(leftOutChars));
            leftOutLines = 0;
            leftOutChars = 0;
        }
    }

    private static String size(long chars) {
        return chars < 10_000
                ? chars + " characters"
                : String.format(Locale.ROOT, "%,d thousand characters", chars / 1000);
    }
}
