package io.latchkey.jobs;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A SHA-256 over parts of any content; its text is shortened to 12 hex digits, enough to tell two configurations apart. */
final class Digest {
    private static final int SHOWN = 12;

    private final MessageDigest sha;

    Digest() {
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static String of(String text) {
        return new Digest().add(text).text();
    }

    Digest add(String part) {
        return add(part.getBytes(StandardCharsets.UTF_8));
    }

    /** Adds a part with its length, so that no two lists of parts give the same bytes. */
    Digest add(byte[] part) {
        sha.update((part.length + ":").getBytes(StandardCharsets.US_ASCII));
        sha.update(part);
        return this;
    }

    /** The digest of all parts added. Ends this object's use. */
    String text() {
        return HexFormat.of().formatHex(sha.digest()).substring(0, SHOWN);
    }
}
