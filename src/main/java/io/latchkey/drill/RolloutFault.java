package io.latchkey.drill;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Every instance is stopped and started in turn, with the same configuration or the next one. */
final class RolloutFault extends Fault {
    private static final Duration JOINED = Duration.ofSeconds(30);

    private final boolean newConf;
    private String confBefore = "";
    private String confAfter = "";

    RolloutFault(Rig rig, SplittableRandom random, boolean newConf) {
        super(rig, random);
        this.newConf = newConf;
    }

    @Override
    String inject() throws DrillException, InterruptedException {
        confBefore = rig().observer().snapshot().conf();
        if (newConf) {
            rig().nextVersion();
        }
        List<String> order = new ArrayList<>(rig().instances().ids());
        for (int i = order.size() - 1; i > 0; i--) {
            order.add(order.remove(random().nextInt(i + 1)));
        }
        for (String id : order) {
            if (newConf) {
                rig().instances().configure(id, rig().version());
            }
            rig().instances().signal(id, "TERM");
            ProcessFaults.stopped(rig(), id);
            java.time.Instant ended = java.time.Instant.now();
            rig().instances().start(id);
            boolean joined = rig().await(JOINED, () -> {
                Snapshot seen = rig().observer().snapshot();
                return seen.at().isAfter(ended) && seen.sessions().containsKey(id);
            });
            if (!joined) {
                rig().incident("instance " + id + " did not join again in " + JOINED.toSeconds() + " s");
            }
        }
        return String.join(", ", order) + (newConf ? ", version " + rig().version() : "");
    }

    @Override
    void heal() throws InterruptedException {
        rig().await(JOINED, () -> !rig().observer().snapshot().conf().isEmpty());
        confAfter = rig().observer().snapshot().conf();
    }

    @Override
    boolean bit(Aftermath after) {
        return after.newTerm() && (!newConf || !confAfter.equals(confBefore));
    }
}
