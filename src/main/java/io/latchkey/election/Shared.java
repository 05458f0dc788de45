package io.latchkey.election;

import io.latchkey.zookeeper.ZNodes;

/** What the parts of {@link Leadership} have in common. */
record Shared(
        ZNodes nodes,
        Standing standing,
        Profile profile,
        LatchElector latch,
        TermWorker worker,
        Backoff backoff,
        Time time) {}
