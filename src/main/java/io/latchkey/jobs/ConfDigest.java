package io.latchkey.jobs;

import java.time.ZoneId;
import java.time.zone.ZoneRulesProvider;
import java.util.List;

/**
 * The conf digest: whether two instances would run the same jobs at the same times. The first 12 hex digits of a SHA-256
 * over, each part with its length: the bytes of every job file in the order they are loaded; the bytes of every author jar
 * in class path order; the time zone of {@code jobs.time-zone}; the version of Java's time zone data, which decides when
 * clocks shift; and the settings that decide what becomes of missed and interrupted fires. File names do not count, nor do
 * settings that an instance may have for itself, such as its number of threads.
 */
final class ConfDigest {
    private ConfDigest() {}

    static String of(List<byte[]> files, List<byte[]> jars, ZoneId zone, List<String> settings) {
        Digest digest = new Digest();
        add(digest, "files", files);
        add(digest, "jars", jars);
        digest.add(zone.getId()).add(zoneData());
        settings.forEach(digest::add);
        return digest.text();
    }

    /** The version of the time zone data, such as 2026a. */
    static String zoneData() {
        return ZoneRulesProvider.getVersions("Europe/London").lastKey();
    }

    private static void add(Digest digest, String what, List<byte[]> parts) {
        digest.add(what + parts.size());
        parts.forEach(digest::add);
    }
}
