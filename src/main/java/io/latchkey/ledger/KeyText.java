package io.latchkey.ledger;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.quartz.JobKey;
import org.quartz.TriggerKey;
import org.quartz.utils.Key;

/**
 * Job and trigger keys as one text, {@code group.name}, that reads back to the same key: '%', '/', '@', control
 * characters, and '.' in the group are percent-encoded (UTF-8).
 */
public final class KeyText {
    private KeyText() {}

    /** The text of a job's or trigger's key. */
    public static String of(Key<?> key) {
        return encode(key.getGroup(), true) + '.' + encode(key.getName(), false);
    }

    /**
     * The job key of a text made by {@link #of}.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static JobKey job(String text) {
        int dot = dot(text);
        return new JobKey(decode(text.substring(dot + 1)), decode(text.substring(0, dot)));
    }

    /**
     * The trigger key of a text made by {@link #of}.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static TriggerKey trigger(String text) {
        int dot = dot(text);
        return new TriggerKey(decode(text.substring(dot + 1)), decode(text.substring(0, dot)));
    }

    private static int dot(String text) {
        int dot = text.indexOf('.');
        if (dot <= 0 || dot == text.length() - 1) {
            throw new IllegalArgumentException("not a key in the form group.name: " + text);
        }
        return dot;
    }

    private static String encode(String part, boolean group) {
        StringBuilder out = new StringBuilder(part.length());
        part.codePoints().forEach(c -> {
            if (c == '%' || c == '/' || c == '@' || (group && c == '.') || mustNotBeInAPath(c)) {
                for (byte b : bytes(c)) {
                    out.append('%').append(String.format("%02X", b & 0xff));
                }
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }

    /** What ZooKeeper refuses in a path, and what a person could not see there. */
    private static boolean mustNotBeInAPath(int c) {
        return c <= 0x1f || (c >= 0x7f && c <= 0x9f) || (c >= 0xd800 && c <= 0xf8ff) || c >= 0xfff0;
    }

    private static byte[] bytes(int c) {
        if (c >= 0xd800 && c <= 0xdfff) {
            throw new IllegalArgumentException("a key with half a surrogate pair cannot be written");
        }
        return Character.toString(c).getBytes(StandardCharsets.UTF_8);
    }

    private static String decode(String part) {
        if (part.indexOf('%') < 0) {
            return part;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(part.length());
        byte[] in = part.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < in.length; i++) {
            if (in[i] != '%') {
                out.write(in[i]);
                continue;
            }
            int high = i + 2 < in.length ? Character.digit(in[i + 1], 16) : -1;
            int low = high < 0 ? -1 : Character.digit(in[i + 2], 16);
            if (low < 0) {
                throw new IllegalArgumentException("broken percent-encoding in " + part);
            }
            out.write(high * 16 + low);
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(out.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("broken percent-encoding in " + part, e);
        }
    }
}
