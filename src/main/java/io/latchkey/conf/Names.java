package io.latchkey.conf;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What a name may be that becomes part of a ZooKeeper path. Each method gives the rule that is broken, if one is. */
final class Names {
    private static final int MAX_ID_BYTES = 100;

    private Names() {}

    /** The rule an instance id breaks. */
    static Optional<String> instanceIdProblem(String id) {
        if (id.isBlank()) {
            return Optional.of("is empty: give each instance a name of its own, or leave the key out for host-pid");
        }
        if (id.contains("/")) {
            return Optional.of("holds a slash: use letters, digits, dots and dashes");
        }
        if (id.equals(".") || id.equals("..")) {
            return Optional.of("means a place in a path: use letters, digits, dots and dashes");
        }
        if (hasRefused(id)) {
            return Optional.of("holds a character ZooKeeper refuses: use letters, digits, dots and dashes");
        }
        if (id.getBytes(StandardCharsets.UTF_8).length > MAX_ID_BYTES) {
            return Optional.of("is longer than " + MAX_ID_BYTES + " bytes: shorten it");
        }
        return Optional.empty();
    }

    /** The rule zookeeper.root breaks. */
    static Optional<String> rootProblem(String root) {
        if (root.equals("/")) {
            return Optional.of("is ZooKeeper's own root: name a node of the service's own, such as /latchkey");
        }
        if (root.equals("/zookeeper") || root.startsWith("/zookeeper/")) {
            return Optional.of("is ZooKeeper's own: name another node, such as /latchkey");
        }
        return pathProblem(root);
    }

    /** The rule an address to listen at breaks; whether this machine has it, the one who binds it finds out. */
    static Optional<String> bindProblem(String address) {
        return address.matches("[A-Za-z0-9.:%_-]+")
                ? Optional.empty()
                : Optional.of("is no address: write 127.0.0.1, 0.0.0.0 for all, or one of this machine's own");
    }

    /** The rule an absolute path breaks. */
    static Optional<String> pathProblem(String path) {
        if (!path.startsWith("/")) {
            return Optional.of("must start with a slash, such as /latchkey");
        }
        if (path.endsWith("/")) {
            return Optional.of("must not end with a slash");
        }
        for (String segment : path.substring(1).split("/", -1)) {
            if (segment.isEmpty()) {
                return Optional.of("has two slashes in a row: write one");
            }
            if (segment.equals(".") || segment.equals("..")) {
                return Optional.of("must not go by \"" + segment + "\": write the whole path");
            }
        }
        return hasRefused(path)
                ? Optional.of("holds a character ZooKeeper refuses: use letters, digits, dots and dashes")
                : Optional.empty();
    }

    /** ZooKeeper's path rule: no control characters, surrogates, private use, or specials. */
    private static boolean hasRefused(String text) {
        return text.chars()
                .anyMatch(c -> c <= 0x1f || (c >= 0x7f && c <= 0x9f) || (c >= 0xd800 && c <= 0xf8ff) || c >= 0xfff0);
    }
}
