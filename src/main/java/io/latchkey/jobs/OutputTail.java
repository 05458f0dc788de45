package io.latchkey.jobs;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The end of a run's output, as it goes into the ledger: short, and harmless on a terminal. */
public final class OutputTail {
    /** What is kept, in bytes of UTF-8. */
    public static final int MAX_BYTES = 2048;

    /** Colours and cursor movements, whole: without their first character the rest would be noise. */
    private static final Pattern ESCAPES = Pattern.compile("\u001b(\\[[0-?]*[ -/]*[@-~]|[@-Z\\\\-_])");

    private static final Pattern CONTROLS = Pattern.compile("[\\p{Cntrl}\\p{Cf}&&[^\n\t]]");

    private OutputTail() {}

    /** The text without colours, cursor movements and control characters; line feeds and tabs stay. */
    public static String clean(String text) {
        return CONTROLS.matcher(ESCAPES.matcher(text).replaceAll("")).replaceAll("");
    }

    /** The end of {@code output}: at most {@value #MAX_BYTES} bytes, lines and tabs kept, other control characters not. */
    public static String of(String output) {
        // Only the end is looked at, with room for what is taken out of it.
        String end = output.substring(Math.max(0, output.length() - 4 * MAX_BYTES));
        String clean = clean(end.replace("\r\n", "\n").replace('\r', '\n')).stripTrailing();
        byte[] bytes = clean.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= MAX_BYTES) {
            return clean;
        }
        int from = bytes.length - MAX_BYTES + "…".getBytes(StandardCharsets.UTF_8).length;
        // Not in the middle of a character.
        while (from < bytes.length && (bytes[from] & 0xc0) == 0x80) {
            from++;
        }
        return "…" + new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
    }
}
