package io.latchkey.cli;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.quartz.utils.Key;

/**
 * Names and messages of others' making, made harmless on a terminal: what would move the cursor, change colours or turn
 * text round is shown as an escape. Letters of any script stay.
 */
final class Printable {
    private static final int MAX_LINE = 160;

    private Printable() {}

    /** A job's or trigger's key as {@code group.name}; what is invisible, '%', and '.' in the group percent-encoded. */
    static String name(Key<?> key) {
        return encoded(key.getGroup(), true) + '.' + encoded(key.getName(), false);
    }

    /** Text with every character that is not plainly visible as {@code \}{@code uXXXX}. */
    static String text(String text) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (isVisible(c)) {
                out.appendCodePoint(c);
            } else {
                for (char unit : Character.toChars(c)) {
                    out.append(String.format("\\u%04x", (int) unit));
                }
            }
        });
        return out.toString();
    }

    /** The first line of a message, cut to fit a screen. */
    static String firstLine(String message) {
        String line = text(message.lines().findFirst().orElse(""));
        return line.length() <= MAX_LINE ? line : line.substring(0, MAX_LINE) + "…";
    }

    /** How many columns of a terminal the text takes. */
    static int width(String text) {
        return text.codePoints().map(Printable::width).sum();
    }

    private static int width(int c) {
        int type = Character.getType(c);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
            return 0;
        }
        boolean wide = (c >= 0x1100 && c <= 0x115f)
                || (c >= 0x2e80 && c <= 0xa4cf)
                || (c >= 0xac00 && c <= 0xd7a3)
                || (c >= 0xf900 && c <= 0xfaff)
                || (c >= 0xfe30 && c <= 0xfe6f)
                || (c >= 0xff00 && c <= 0xff60)
                || (c >= 0x1f300 && c <= 0x1faff)
                || (c >= 0x20000 && c <= 0x3fffd);
        return wide ? 2 : 1;
    }

    private static String encoded(String part, boolean group) {
        StringBuilder out = new StringBuilder(part.length());
        part.codePoints().forEach(c -> {
            if (isVisible(c) && c != '%' && !(group && c == '.')) {
                out.appendCodePoint(c);
            } else {
                for (byte b : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
                    out.append('%').append(String.format("%02x", b & 0xff).toUpperCase(Locale.ROOT));
                }
            }
        });
        return out.toString();
    }

    private static boolean isVisible(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
