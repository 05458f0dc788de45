package io.latchkey.drill;

import java.util.SplittableRandom;

/** Makes a fault of a kind. */
final class FaultMaker {
    private FaultMaker() {}

    static Fault make(FaultKind kind, Rig rig, SplittableRandom random) {
        return switch (kind) {
            case KILL_LEADER -> new ProcessFaults.Kill(rig, random, true);
            case KILL_STANDBY -> new ProcessFaults.Kill(rig, random, false);
            case STOP_LEADER -> new ProcessFaults.Stop(rig, random);
            case FREEZE_SHORT -> new ProcessFaults.Freeze(rig, random, 0.45, 0.62, false);
            case FREEZE_SESSION -> new ProcessFaults.Freeze(rig, random, 0.85, 1.25, false);
            case FREEZE_LONG -> new ProcessFaults.Freeze(rig, random, 2.2, 3, true);
            case CUT_ALL -> new NetworkFaults.CutAll(rig, random, NetworkFaults.Break.BOTH_WAYS);
            case CUT_TO_SERVERS -> new NetworkFaults.CutAll(rig, random, NetworkFaults.Break.TO_SERVERS);
            case CUT_TO_LEADER -> new NetworkFaults.CutAll(rig, random, NetworkFaults.Break.TO_INSTANCE);
            case CUT_ONE -> new NetworkFaults.CutOne(rig, random);
            case SLOW_NETWORK -> new NetworkFaults.Slow(rig, random);
            case SERVER_CUT_OFF -> new ServerFaults.CutOff(rig, random);
            case ZK_LEADER_KILLED -> new ServerFaults.Kill(rig, random, ServerFaults.Kill.Which.LEADER);
            case QUORUM_LOST -> new ServerFaults.Kill(rig, random, ServerFaults.Kill.Which.TWO);
            case SERVERS_RESTARTED -> new ServerFaults.Kill(rig, random, ServerFaults.Kill.Which.ALL);
            case DISK_FULL -> new ServerFaults.DiskFull(rig, random);
            case SESSION_EXPIRED -> new NetworkFaults.Expire(rig, random);
            case LATCH_NODE_DELETED -> new HandFaults.LatchNode(rig, random);
            case LEADER_NODE_DELETED -> new HandFaults.LeaderNode(rig, random);
            case CURSOR_DELETED -> new HandFaults.CursorNode(rig, random);
            case RECORD_DELETED -> new HandFaults.RecordNode(rig, random);
            case ROLLING_RESTART -> new RolloutFault(rig, random, false);
            case CONF_ROLLOUT -> new RolloutFault(rig, random, true);
            case JVM_KILLER -> new ProcessFaults.JvmKiller(rig, random);
        };
    }
}
