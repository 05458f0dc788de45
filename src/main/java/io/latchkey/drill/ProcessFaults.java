package io.latchkey.drill;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;

/** Faults of instances' processes. */
final class ProcessFaults {
    private ProcessFaults() {}

    /** {@code kill -9}. */
    static final class Kill extends Fault {
        private final boolean leader;
        private String victim = "";

        Kill(Rig rig, SplittableRandom random, boolean leader) {
            super(rig, random);
            this.leader = leader;
        }

        @Override
        String inject() throws DrillException, InterruptedException {
            List<String> standbys = rig().standbys();
            victim = leader ? rig().leader().instance() : standbys.get(random().nextInt(standbys.size()));
            // At any point of the second in which jobs start.
            rig().pause(Duration.ofMillis(random().nextInt(1000)));
            strike();
            rig().instances().kill(victim);
            if (leader) {
                takeoverWithin(limits().silentBound());
            }
            return victim;
        }

        @Override
        Duration lasts() {
            return sessions(0.4, 1.2);
        }

        @Override
        void heal() throws DrillException {
            rig().instances().start(victim);
        }

        @Override
        boolean bit(Aftermath after) {
            return leader ? after.newTerm() : !after.starts().isEmpty();
        }
    }

    /** {@code SIGTERM}: a handover. */
    static final class Stop extends Fault {
        private String victim = "";

        Stop(Rig rig, SplittableRandom random) {
            super(rig, random);
        }

        @Override
        String inject() throws DrillException, InterruptedException {
            victim = rig().leader().instance();
            rig().pause(Duration.ofMillis(random().nextInt(1000)));
            strike();
            takeoverWithin(Duration.ZERO);
            rig().instances().signal(victim, "TERM");
            return victim;
        }

        @Override
        void heal() throws DrillException, InterruptedException {
            stopped(rig(), victim);
            rig().instances().start(victim);
        }

        @Override
        boolean bit(Aftermath after) {
            return after.newTerm();
        }
    }

    /** Waits for the end of an instance that was told to stop, and sees that it was an orderly one. */
    static void stopped(Rig rig, String instance) throws DrillException, InterruptedException {
        if (!rig.instances().awaitStop(instance)) {
            rig.incident("instance " + instance + " did not stop on SIGTERM, and was killed");
        } else if (rig.instances().exitCode(instance) != 0) {
            rig.incident("instance " + instance + " stopped on SIGTERM with exit code "
                    + rig.instances().exitCode(instance));
        }
    }

    /** {@code SIGSTOP}, later {@code SIGCONT}. */
    static final class Freeze extends Fault {
        private final Duration time;
        private final boolean takeover;
        private String victim = "";
        private Instant from = Instant.MIN;

        /** @param takeover whether it is so long that another must lead */
        Freeze(Rig rig, SplittableRandom random, double sessionsFrom, double sessionsTo, boolean takeover) {
            super(rig, random);
            this.time = sessions(sessionsFrom, sessionsTo);
            this.takeover = takeover;
        }

        @Override
        String inject() throws DrillException, InterruptedException {
            victim = rig().leader().instance();
            rig().pause(Duration.ofMillis(random().nextInt(1000)));
            strike();
            rig().instances().signal(victim, "STOP");
            from = Instant.now();
            if (takeover) {
                takeoverWithin(limits().silentBound());
            }
            return victim + " for " + Findings.seconds(time);
        }

        @Override
        Duration lasts() {
            return time;
        }

        @Override
        void heal() throws DrillException, InterruptedException {
            // Before the signal: what runs after it is not frozen.
            cut(victim, from, FaultTry.Cut.How.FROZEN);
            rig().instances().signal(victim, "CONT");
        }

        @Override
        boolean bit(Aftermath after) {
            // Jobs are due every second.
            return takeover ? after.newTerm() : time.toMillis() > 1000;
        }
    }

    /** A job that takes its process with it, and asks for recovery. */
    static final class JvmKiller extends Fault {
        private final int attempts;
        private int killed;

        JvmKiller(Rig rig, SplittableRandom random) {
            super(rig, random);
            this.attempts = 1 + random.nextInt(Math.min(3, limits().maxAttempts()));
        }

        @Override
        String inject() throws DrillException, InterruptedException {
            rig().files().write(rig().files().killerMarker(), attempts + "\n");
            // It has to be taken over, each time, before it can kill again.
            Duration each = limits().silentBound().plusSeconds(20);
            for (int attempt = 1; attempt <= attempts; attempt++) {
                if (!rig().await(
                                each,
                                () -> rig().instances().ids().stream()
                                        .anyMatch(id -> !rig().instances().isAlive(id)))) {
                    break;
                }
                killed++;
                for (String id : rig().instances().ids()) {
                    rig().instances().noteEnd(id);
                    rig().instances().start(id);
                }
            }
            note(killed + " instances killed by it");
            return attempts + (attempts == 1 ? " attempt" : " attempts");
        }

        @Override
        void heal() throws DrillException {
            rig().files().delete(rig().files().killerMarker());
            rig().files()
                    .delete(rig().files()
                            .killerMarker()
                            .resolveSibling(rig().files().killerMarker().getFileName() + DrillKillerJob.VICTIM));
            if (killed < attempts) {
                rig().incident("the job that kills its JVM was tried " + killed + " times instead of " + attempts);
            }
        }

        @Override
        boolean bit(Aftermath after) {
            return killed > 0;
        }
    }
}
