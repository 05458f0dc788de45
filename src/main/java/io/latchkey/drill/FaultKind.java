package io.latchkey.drill;

import java.util.Locale;

/** The kinds of fault that a drill can draw. */
enum FaultKind {
    KILL_LEADER("leader killed (-9)"),
    KILL_STANDBY("standby killed (-9)"),
    STOP_LEADER("leader stopped (SIGTERM)"),
    FREEZE_SHORT("leader frozen, less than 2T/3"),
    FREEZE_SESSION("leader frozen, about T"),
    FREEZE_LONG("leader frozen, well over 2T"),
    CUT_ALL("leader cut from all servers"),
    CUT_TO_SERVERS("leader cut from all, its way out"),
    CUT_TO_LEADER("leader cut from all, its way in"),
    CUT_ONE("leader cut from its server"),
    SLOW_NETWORK("leader's network slow"),
    SERVER_CUT_OFF("server cut from its ensemble"),
    ZK_LEADER_KILLED("ZooKeeper leader killed"),
    QUORUM_LOST("quorum lost and back"),
    SERVERS_RESTARTED("all servers restarted"),
    DISK_FULL("disk full on a server"),
    SESSION_EXPIRED("leader's session ended by force"),
    LATCH_NODE_DELETED("latch node deleted by hand"),
    LEADER_NODE_DELETED("/leader deleted by hand"),
    CURSOR_DELETED("cursor deleted by hand"),
    RECORD_DELETED("running record deleted by hand"),
    ROLLING_RESTART("rolling restart"),
    CONF_ROLLOUT("conf rolled out"),
    JVM_KILLER("job that kills its JVM");

    private final String text;

    FaultKind(String text) {
        this.text = text;
    }

    /** For people. */
    String text() {
        return text;
    }

    /** As given on the command line. */
    String option() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
