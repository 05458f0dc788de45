package io.latchkey.drill;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Faults of the ZooKeeper servers. */
final class ServerFaults {
    private ServerFaults() {}

    /** The server that the leading instance is connected to is cut off from the other servers, and goes on answering. */
    static final class CutOff extends Fault {
        private int server;

        CutOff(Rig rig, SplittableRandom random) {
            super(rig, random);
        }

        @Override
        String inject() throws DrillException {
            String leader = rig().leader().instance();
            server = rig().instances()
                    .serverOf(leader)
                    .orElseThrow(() -> new DrillException("instance " + leader + " leads and has no connection"));
            boolean leads = rig().ensemble().leader().equals(Optional.of(server));
            strike();
            rig().ensemble().cutOff(server);
            return "server " + server + (leads ? " (ZooKeeper's leader)" : "") + ", under instance " + leader;
        }

        @Override
        Duration lasts() {
            return sessions(1.8, 2.6);
        }

        @Override
        void heal() {
            rig().ensemble().mend(server);
        }

        @Override
        boolean bit(Aftermath after) {
            if (after.newTerm()) {
                ledAgainWithin(limits().serverLostBound());
            }
            return after.leadWasHurt();
        }
    }

    /** Servers are killed. */
    static final class Kill extends Fault {
        /** Later than that on an ensemble without a fault is rare. */
        private static final Duration NOTICED = Duration.ofMillis(400);

        private final Which which;
        private List<Integer> victims = List.of();

        /** Which servers. */
        enum Which {
            LEADER,
            TWO,
            ALL
        }

        Kill(Rig rig, SplittableRandom random, Which which) {
            super(rig, random);
            this.which = which;
        }

        @Override
        String inject() throws DrillException, InterruptedException {
            List<Integer> all = new ArrayList<>();
            for (int server = 1; server <= Ensemble.SERVERS; server++) {
                all.add(server);
            }
            victims = switch (which) {
                case LEADER ->
                    List.of(rig().ensemble()
                            .leader()
                            .orElseThrow(() -> new DrillException("the ensemble has no leader")));
                case TWO -> {
                    all.remove(random().nextInt(all.size()));
                    yield all;
                }
                case ALL -> all;
            };
            rig().pause(Duration.ofMillis(random().nextInt(1000)));
            strike();
            for (int server : victims) {
                rig().ensemble().kill(server);
            }
            return "servers " + victims;
        }

        @Override
        Duration lasts() {
            return which == Which.TWO ? sessions(1, 2) : sessions(0, 0.6);
        }

        @Override
        void heal() throws DrillException {
            for (int server : victims) {
                rig().ensemble().start(server);
            }
        }

        @Override
        boolean bit(Aftermath after) {
            note("no start for " + Findings.seconds(after.longestGap()));
            return after.leadWasHurt() || (which == Which.LEADER && after.startsLateBy(NOTICED));
        }
    }

    /** A server can write no more. */
    static final class DiskFull extends Fault {
        private static final Duration PATIENCE = Duration.ofSeconds(30);

        private int server;
        private boolean ended;

        DiskFull(Rig rig, SplittableRandom random) {
            super(rig, random);
        }

        @Override
        String inject() throws DrillException, InterruptedException {
            server = 1 + random().nextInt(Ensemble.SERVERS);
            rig().ensemble().fillDisk(server);
            // It ends, or it leaves its ensemble again and again.
            ended = rig().await(PATIENCE, () -> !rig().ensemble().serves(server));
            return "server " + server;
        }

        @Override
        Duration lasts() {
            return sessions(0.3, 1);
        }

        @Override
        void heal() throws DrillException, InterruptedException {
            // Space is there again for the next process only.
            rig().ensemble().kill(server);
            rig().ensemble().start(server);
        }

        @Override
        boolean bit(Aftermath after) {
            note(ended ? "it served no more" : "it served on");
            return ended;
        }
    }
}
