package io.latchkey.zookeeper;

/** A record written by a newer version of the service: this one must not act on it, nor overwrite it. */
public final class FormatTooNewException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String path;

    FormatTooNewException(String path, int found, int known) {
        super(path + " has format " + found + ", this version knows up to " + known
                + ": it stays standby; upgrade this instance");
        this.path = path;
    }

    public String path() {
        return path;
    }
}
