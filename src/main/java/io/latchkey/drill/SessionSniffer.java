package io.latchkey.drill;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Reads the first answer that a ZooKeeper server gives on a connection: the session and its password, which is what ends
 * a session from outside. One per connection; not thread-safe.
 */
final class SessionSniffer {
    private static final int LENGTH_BYTES = 4;
    /** Protocol version, timeout, session, length of the password. */
    private static final int HEAD = 4 + 4 + 8 + 4;

    private static final int PASSWORD = 16;
    private static final int NEEDED = LENGTH_BYTES + HEAD + PASSWORD;

    private final ByteBuffer seen = ByteBuffer.allocate(NEEDED);

    /**
     * A session as a client must name it to take it up.
     *
     * @param passwordHex its password, as hex digits
     * @param timeoutMillis as negotiated; 0 if the server refused the session
     */
    record Credentials(long id, String passwordHex, int timeoutMillis) {
        byte[] password() {
            return HexFormat.of().parseHex(passwordHex);
        }

        @Override
        public String toString() {
            return "0x" + Long.toHexString(id);
        }
    }

    /** Takes what came from the server; gives the session once, when it is complete, null before and after. */
    @Nullable
    Credentials took(byte[] bytes, int length) {
        if (!seen.hasRemaining()) {
            return null;
        }
        seen.put(bytes, 0, Math.min(length, seen.remaining()));
        if (seen.hasRemaining()) {
            return null;
        }
        ByteBuffer answer = seen.duplicate().flip();
        answer.getInt(); // length of the frame
        answer.getInt(); // protocol version
        int timeout = answer.getInt();
        long id = answer.getLong();
        byte[] password = new byte[PASSWORD];
        if (answer.getInt() == PASSWORD) {
            answer.get(password);
        }
        return new Credentials(id, HexFormat.of().formatHex(password), timeout);
    }
}
