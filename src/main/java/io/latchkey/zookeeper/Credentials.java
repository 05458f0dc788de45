package io.latchkey.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.ACL;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who the service is to ZooKeeper, and hence who may touch its znodes. The secret is never logged. */
final class Credentials {
    private static final Logger log = LoggerFactory.getLogger(Credentials.class);
    private static final Credentials NONE = new Credentials("", new byte[0]);

    private final String scheme;
    private final byte[] secret;

    private Credentials(String scheme, byte[] secret) {
        this.scheme = scheme;
        this.secret = secret;
    }

    static Credentials none() {
        return NONE;
    }

    /** Reads a file whose one line is {@code scheme:credential}, such as {@code digest:user:password}. */
    static Credentials read(Path file) throws SetupException {
        String place = "zookeeper.auth-file " + file;
        List<String> lines;
        try {
            lines = Files.readAllLines(file, StandardCharsets.UTF_8).stream()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
            warnIfReadableByOthers(file);
        } catch (IOException e) {
            throw new SetupException(
                    "The credentials for ZooKeeper cannot be read",
                    place,
                    "Make it a UTF-8 file that this user may read, or remove the setting",
                    e);
        }
        int colon = lines.size() == 1 ? lines.get(0).indexOf(':') : -1;
        if (colon < 1 || colon == lines.get(0).length() - 1) {
            throw new SetupException(
                    "The credentials for ZooKeeper are not one line scheme:credential",
                    place,
                    "Write one line such as digest:user:password");
        }
        String line = lines.get(0);
        return new Credentials(
                line.substring(0, colon), line.substring(colon + 1).getBytes(StandardCharsets.UTF_8));
    }

    private static void warnIfReadableByOthers(Path file) throws IOException {
        if (!Files.getFileStore(file).supportsFileAttributeView("posix")) {
            return;
        }
        if (Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
            log.warn("Every user of this machine can read the ZooKeeper credentials in {}: run chmod 600 on it", file);
        }
    }

    boolean present() {
        return !scheme.isEmpty();
    }

    String scheme() {
        return scheme;
    }

    byte[] secret() {
        return secret.clone();
    }

    /** What created nodes get: with credentials only their holder may do anything, without, anybody may. */
    List<ACL> acl() {
        return present() ? Ids.CREATOR_ALL_ACL : Ids.OPEN_ACL_UNSAFE;
    }

    @Override
    public String toString() {
        return present() ? scheme + ":***" : "none";
    }
}
