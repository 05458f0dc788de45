package io.latchkey.zookeeper;

import org.apache.zookeeper.KeeperException.Code;

/** A node could not be read. */
public final class ReadFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Code code;

    ReadFailedException(String path, Code code) {
        super(
                code == Code.NOAUTH
                        ? "ZooKeeper does not let us read " + path + ": check its ACL and zookeeper.auth-file"
                        : "Could not read " + path + ": " + code);
        this.code = code;
    }

    public Code code() {
        return code;
    }

    public boolean sessionGone() {
        return Codes.isSessionGone(code);
    }
}
