package io.latchkey.zookeeper;

/**
 * A record written by a newer version of the service: this one must not act on it, nor overwrite it. The message says which
 * record and which formats; what to do about it depends on who met it, and is theirs to say.
 */
public final class FormatTooNewException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String path;
    private final int known;

    FormatTooNewException(String path, int found, int known) {
        super(path + " is of format " + found + ", and this version knows formats up to " + known
                + ": a newer version wrote it");
        this.path = path;
        this.known = known;
    }

    /** The record's node. */
    public String path() {
        return path;
    }

    /** The newest format this version knows for such a record. */
    public int known() {
        return known;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
