package io.latchkey.drill;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.zookeeper.ZooKeeper;

/** Faults of the network between an instance and the servers. */
final class NetworkFaults {
    private NetworkFaults() {}

    /** How the leader's wires are broken. */
    enum Break {
        BOTH_WAYS,
        TO_SERVERS,
        TO_INSTANCE
    }

    /** The leader is cut from all servers. */
    static final class CutAll extends Fault {
        private final Break how;
        private final boolean refused;
        private String victim = "";
        private Instant from = Instant.MIN;

        CutAll(Rig rig, SplittableRandom random, Break how) {
            super(rig, random);
            this.how = how;
            this.refused = how == Break.BOTH_WAYS && random.nextBoolean();
        }

        @Override
        String inject() throws DrillException, InterruptedException {
            victim = rig().leader().instance();
            rig().pause(Duration.ofMillis(random().nextInt(1000)));
            Consumer<Wire> cut = switch (how) {
                case BOTH_WAYS -> refused ? Wire::reset : Wire::hold;
                case TO_SERVERS -> wire -> wire.hold(Wire.Way.TO_SERVER);
                case TO_INSTANCE -> wire -> wire.hold(Wire.Way.TO_CLIENT);
            };
            strike();
            rig().instances().wiresOf(victim).forEach(cut);
            from = Instant.now();
            if (how == Break.TO_INSTANCE) {
                // Mended before that, the old leader goes on in its session.
                ledAgainWithin(limits().unansweredBound());
            } else {
                takeoverWithin(limits().silentBound());
            }
            return victim + (refused ? ", refused" : ", silent");
        }

        @Override
        Duration lasts() {
            return sessions(1.8, 2.6);
        }

        @Override
        void heal() {
            cut(victim, from, FaultTry.Cut.How.NETWORK);
            rig().instances().wiresOf(victim).forEach(Wire::mend);
        }

        @Override
        boolean bit(Aftermath after) {
            return after.leadWasHurt();
        }
    }

    /** The leader is cut from the server it is connected to; the others can be reached. */
    static final class CutOne extends Fault {
        private Collection<Wire> wires = List.of();

        CutOne(Rig rig, SplittableRandom random) {
            super(rig, random);
        }

        @Override
        String inject() throws DrillException, InterruptedException {
            String victim = rig().leader().instance();
            int server = rig().instances()
                    .serverOf(victim)
                    .orElseThrow(() -> new DrillException("instance " + victim + " leads and has no connection"));
            rig().pause(Duration.ofMillis(random().nextInt(1000)));
            wires = List.of(rig().instances().wire(victim, server));
            int how = random().nextInt(4);
            strike();
            wires.forEach(
                    switch (how) {
                        case 0 -> Wire::hold;
                        case 1 -> Wire::reset;
                        case 2 -> wire -> wire.hold(Wire.Way.TO_SERVER);
                        default -> wire -> wire.hold(Wire.Way.TO_CLIENT);
                    });
            return victim + " from server " + server
                    + List.of(", silent", ", refused", ", its way out", ", its way in")
                            .get(how);
        }

        @Override
        Duration lasts() {
            return sessions(1.2, 1.8);
        }

        @Override
        void heal() {
            wires.forEach(Wire::mend);
        }

        @Override
        boolean bit(Aftermath after) {
            return after.leadWasHurt();
        }
    }

    /** All that the leader says and hears takes long. */
    static final class Slow extends Fault {
        private final Duration delay;
        private String victim = "";

        Slow(Rig rig, SplittableRandom random) {
            super(rig, random);
            this.delay = Duration.ofMillis(150 + random.nextInt(250));
        }

        @Override
        String inject() throws DrillException {
            victim = rig().leader().instance();
            rig().instances().wiresOf(victim).forEach(wire -> wire.slow(delay));
            return victim + " by " + delay.toMillis() + " ms each way";
        }

        @Override
        Duration lasts() {
            return sessions(1.3, 2.0);
        }

        @Override
        void heal() {
            rig().instances().wiresOf(victim).forEach(Wire::mend);
        }

        @Override
        boolean bit(Aftermath after) {
            long late = after.starts().stream()
                    .filter(start -> start.at().isAfter(start.fire().slot().plus(delay)))
                    .count();
            note(late + " starts late by more than the delay");
            return late > 0 || after.newTerm();
        }
    }

    /** The leader's session is ended by one that knows its password. */
    static final class Expire extends Fault {
        private boolean taken;

        Expire(Rig rig, SplittableRandom random) {
            super(rig, random);
        }

        @Override
        String inject() throws DrillException, InterruptedException {
            String victim = rig().leader().instance();
            SessionSniffer.Credentials session = rig().instances()
                    .sessionOf(victim)
                    .orElseThrow(() -> new DrillException("no session of instance " + victim + " was heard"));
            rig().pause(Duration.ofMillis(random().nextInt(1000)));
            try {
                ZooKeeper second = new ZooKeeper(
                        rig().ensemble().connectString(),
                        session.timeoutMillis(),
                        event -> {},
                        session.id(),
                        session.password());
                taken = rig().await(
                                Duration.ofSeconds(5), () -> second.getState().isConnected());
                strike();
                Instant ended = Instant.now();
                second.close();
                if (taken) {
                    cut(victim, ended, FaultTry.Cut.How.SESSION_ENDED);
                }
            } catch (java.io.IOException e) {
                throw new DrillException("no client for the session of instance " + victim + ": " + e, e);
            }
            if (!taken) {
                // Replaced since it was heard, or no server answered: nothing was done to anybody.
                note("it was not to be had");
                return victim + ", session " + session;
            }
            // Its node goes with it, at once.
            takeoverWithin(Duration.ZERO);
            return victim + ", session " + session;
        }

        @Override
        Duration lasts() {
            return sessions(0.5, 1);
        }

        @Override
        void heal() {
            // A session does not come back.
        }

        @Override
        boolean bit(Aftermath after) {
            return taken && after.newTerm();
        }
    }
}
