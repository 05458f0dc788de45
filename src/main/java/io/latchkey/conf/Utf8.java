package io.latchkey.conf;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/** Text files as people save them: UTF-8, with or without a byte order mark. */
public final class Utf8 {
    private Utf8() {}

    /** The text without its byte order mark; empty if it is not UTF-8, which is then a problem with its line. */
    public static Optional<String> decode(String file, byte[] bytes, Consumer<Problem> problems) {
        CharBuffer text = CharBuffer.allocate(bytes.length + 1);
        CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes), text, true);
        text.flip();
        String decoded = text.toString();
        if (result.isError()) {
            long line = 1 + decoded.chars().filter(c -> c == '\n').count();
            problems.accept(new Problem(file + ":" + line, "", "is not UTF-8 text", "save the file as UTF-8"));
            return Optional.empty();
        }
        return Optional.of(decoded.startsWith("\ufeff") ? decoded.substring(1) : decoded);
    }
}
