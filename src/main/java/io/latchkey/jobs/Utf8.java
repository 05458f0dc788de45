package io.latchkey.jobs;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Looks whether an XML file is the UTF-8 that it has to be. */
final class Utf8 {
    private Utf8() {}

    /** The line, from 1, of the first byte that is not UTF-8; 0 if there is none, or if the file names another encoding. */
    static int brokenLine(byte[] xml) {
        if (otherEncoding(xml)) {
            return 0;
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(xml);
        CharBuffer out = CharBuffer.allocate(8192);
        CoderResult result = decoder.decode(in, out, true);
        while (result.isOverflow()) {
            out.clear();
            result = decoder.decode(in, out, true);
        }
        if (!result.isError()) {
            return 0;
        }
        int line = 1;
        for (int i = 0; i < in.position(); i++) {
            line += xml[i] == '\n' ? 1 : 0;
        }
        return line;
    }

    /** By its first bytes, as XML has it: a byte order mark or the zeros of UTF-16, or a declaration. */
    private static boolean otherEncoding(byte[] xml) {
        int first = xml[0] & 0xff;
        if (first >= 0xfe || first == 0 || (xml.length > 1 && xml[1] == 0)) {
            return true;
        }
        String start = new String(xml, 0, Math.min(xml.length, 200), StandardCharsets.ISO_8859_1);
        int end = start.indexOf("?>");
        String declaration = end < 0 ? "" : start.substring(0, end).toLowerCase(Locale.ROOT);
        return declaration.contains("encoding") && !declaration.contains("utf-8");
    }
}
