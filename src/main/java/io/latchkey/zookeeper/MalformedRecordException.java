package io.latchkey.zookeeper;

/** A znode's data is not the record it should be: something else wrote there. The message says which, and what is wrong. */
public final class MalformedRecordException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String path;

    MalformedRecordException(String path, String reason) {
        super(path + " is damaged: " + reason);
        this.path = path;
    }

    MalformedRecordException(String path, Exception cause) {
        super(path + " is damaged: " + JsonTrouble.inPlainWords(cause), cause);
        this.path = path;
    }

    public String path() {
        return path;
    }
}
