package io.latchkey.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.apache.zookeeper.common.PathUtils;

/**
 * The path of every znode, built here and nowhere else. Immutable.
 *
 * <p>Names of people's making (jobs, triggers, instances) are encoded, so that any name is one path segment, two names
 * never share one, and the usual name reads in ZooKeeper's CLI as it was written.
 */
public final class ZNodes {
    /** The longest encoded name, in bytes of UTF-8. */
    public static final int MAX_SEGMENT_BYTES = 255;

    /** A fire id joins the encoded names of a trigger and its group with an instant. */
    private static final int MAX_FIRE_ID_BYTES = 3 * MAX_SEGMENT_BYTES;

    private final String root;

    /**
     * Paths under a root.
     *
     * @param root the path all others are under, such as {@code /latchkey}; not {@code /}
     * @throws IllegalArgumentException if ZooKeeper would refuse it
     */
    public ZNodes(String root) {
        PathUtils.validatePath(root);
        if (root.equals("/")) {
            throw new IllegalArgumentException("The root must be a node of its own, such as /latchkey, not /");
        }
        this.root = root;
    }

    public String root() {
        return root;
    }

    /** The parent of the candidates; made by the latch itself. */
    public String latch() {
        return root + "/latch";
    }

    public String instances() {
        return root + "/instances";
    }

    public String instance(String id) {
        return instances() + '/' + encode(id);
    }

    public String leader() {
        return root + "/leader";
    }

    public String triggers() {
        return root + "/triggers";
    }

    public String triggers(String group) {
        return triggers() + '/' + encode(group);
    }

    public String trigger(String group, String name) {
        return triggers(group) + '/' + encode(name);
    }

    public String jobs() {
        return root + "/jobs";
    }

    public String jobs(String group) {
        return jobs() + '/' + encode(group);
    }

    public String job(String group, String name) {
        return jobs(group) + '/' + encode(name);
    }

    public String running() {
        return root + "/running";
    }

    public String running(String fireId) {
        return running() + '/' + encode(fireId, MAX_FIRE_ID_BYTES);
    }

    public String paused() {
        return root + "/paused";
    }

    public String history() {
        return root + "/history";
    }

    public String history(String group) {
        return history() + '/' + encode(group);
    }

    public String history(String group, String job) {
        return history(group) + '/' + encode(job);
    }

    /** The last call to all instances to reload their conf directories. */
    public String reload() {
        return root + "/reload";
    }

    /** Which configurations have led, in order. */
    public String confs() {
        return root + "/confs";
    }

    public String requests() {
        return root + "/requests";
    }

    /** The path to create a request at, with a sequential mode: ZooKeeper appends the number. */
    public String newRequest() {
        return requests() + "/request-";
    }

    /**
     * A request that is there.
     *
     * @param seq the name of a child of {@link #requests()}
     */
    public String request(String seq) {
        return requests() + '/' + encode(seq);
    }

    /** The last terms, for people; what leads and what counts is {@link #leader()} alone. */
    public String terms() {
        return root + "/terms";
    }

    /** What operators asked for, and what became of it. */
    public String audit() {
        return root + "/audit";
    }

    /**
     * The audit of one request.
     *
     * @param seq the request's name
     */
    public String audit(String seq) {
        return audit() + '/' + encode(seq);
    }

    /** The last segment of a path, as it stands (encoded). */
    public static String nameOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** The path without its last segment; {@code /} for a child of the root. */
    public static String parentOf(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    /**
     * A name as one path segment. What ZooKeeper refuses in a path, and {@code %} itself, becomes {@code %XX} or, beyond
     * {@code U+00FF}, {@code %uXXXX} per UTF-16 unit; all else, spaces and letters of any script included, stays.
     *
     * @throws IllegalArgumentException if the name is empty or its encoded form longer than {@value #MAX_SEGMENT_BYTES} bytes
     */
    public static String encode(String name) {
        return encode(name, MAX_SEGMENT_BYTES);
    }

    /** Whether it is what {@link #encode} makes of a name; any other node was put there by somebody else. */
    public static boolean isEncoded(String segment) {
        try {
            return encode(decode(segment), Integer.MAX_VALUE).equals(segment);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static String encode(String name, int limit) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("An empty name cannot be a znode; give it at least one character");
        }
        StringBuilder out = new StringBuilder(name.length() + 8);
        boolean dots = name.equals(".") || name.equals("..");
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!dots && isPlain(c)) {
                out.append(c);
            } else if (c <= 0xff) {
                out.append(String.format("%%%02X", (int) c));
            } else {
                out.append(String.format("%%u%04X", (int) c));
            }
        }
        int bytes = out.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > limit) {
            throw new IllegalArgumentException("The name \"" + abbreviate(name) + "\" takes " + bytes
                    + " bytes as a znode; the limit is " + limit + " bytes. Shorten it");
        }
        return out.toString();
    }

    /**
     * The name that {@link #encode} made the segment from.
     *
     * @throws IllegalArgumentException if it holds a broken escape
     */
    public static String decode(String segment) {
        StringBuilder out = new StringBuilder(segment.length());
        int i = 0;
        while (i < segment.length()) {
            char c = segment.charAt(i++);
            if (c != '%') {
                out.append(c);
                continue;
            }
            boolean wide = i < segment.length() && segment.charAt(i) == 'u';
            int from = wide ? i + 1 : i;
            int to = from + (wide ? 4 : 2);
            if (to > segment.length()) {
                throw new IllegalArgumentException(
                        "\"" + segment + "\" is not an encoded name: it ends inside an escape");
            }
            try {
                out.append((char) HexFormat.fromHexDigits(segment, from, to));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "\"" + segment + "\" is not an encoded name: bad escape at " + (i - 1), e);
            }
            i = to;
        }
        return out.toString();
    }

    /** Neither refused by {@link PathUtils} nor of meaning to us. */
    private static boolean isPlain(char c) {
        return c > 0x1f
                && c != '/'
                && c != '%'
                && !(c >= 0x7f && c <= 0x9f)
                && !(c >= 0xd800 && c <= 0xf8ff)
                && c < 0xfff0;
    }

    private static String abbreviate(String name) {
        return name.length() <= 60 ? name : name.substring(0, 60) + "...";
    }

    @Override
    public String toString() {
        return root;
    }
}
