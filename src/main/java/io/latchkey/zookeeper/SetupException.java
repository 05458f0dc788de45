package io.latchkey.zookeeper;

/** ZooKeeper answers, but not so that the service could work with it; trying again changes nothing until somebody acts. */
public final class SetupException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String remedy;

    SetupException(String what, String where, String remedy) {
        super(what + " (" + where + "). " + remedy);
        this.remedy = remedy;
    }

    SetupException(String what, String where, String remedy, Throwable cause) {
        super(what + " (" + where + "). " + remedy, cause);
        this.remedy = remedy;
    }

    /** What to do about it. */
    public String remedy() {
        return remedy;
    }
}
