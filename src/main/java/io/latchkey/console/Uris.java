package io.latchkey.console;

import io.latchkey.console.Problem.ProblemException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Paths and queries taken apart. A path is split at its slashes first and each part decoded once, so that an encoded slash
 * or dot is a character of a name, as jobs may have, and never a step in a path.
 */
final class Uris {
    private Uris() {}

    /** The segments of a raw path that begins with a slash. */
    static List<String> segments(String rawPath) throws ProblemException {
        if (!rawPath.startsWith("/")) {
            throw Problem.badRequest("the path does not begin with a slash", "ask for a path such as /api/v1/cluster")
                    .asException();
        }
        List<String> out = new ArrayList<>();
        for (String part : rawPath.substring(1).split("/", -1)) {
            out.add(decode(part, false));
        }
        return out;
    }

    /** The parameters of a raw query, null for none. */
    static Map<String, List<String>> parameters(@Nullable String rawQuery) throws ProblemException {
        Map<String, List<String>> out = new LinkedHashMap<>();
        if (rawQuery == null || rawQuery.isEmpty()) {
            return out;
        }
        for (String pair : rawQuery.split("&", -1)) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                String name = decode(equals < 0 ? pair : pair.substring(0, equals), true);
                String value = equals < 0 ? "" : decode(pair.substring(equals + 1), true);
                out.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
            }
        }
        return out;
    }

    private static String decode(String text, boolean plusIsSpace) throws ProblemException {
        if (text.indexOf('%') < 0) {
            return plusIsSpace ? text.replace('+', ' ') : text;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(text.length());
        byte[] in = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < in.length; i++) {
            if (in[i] == '%') {
                int high = i + 2 < in.length ? Character.digit(in[i + 1], 16) : -1;
                int low = high < 0 ? -1 : Character.digit(in[i + 2], 16);
                if (low < 0) {
                    throw broken();
                }
                out.write(high * 16 + low);
                i += 2;
            } else {
                out.write(plusIsSpace && in[i] == '+' ? ' ' : in[i]);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(out.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw broken();
        }
    }

    private static ProblemException broken() {
        return Problem.badRequest(
                        "the address is not encoded as it should be",
                        "write what is no letter or digit as %XX, in UTF-8")
                .asException();
    }
}
