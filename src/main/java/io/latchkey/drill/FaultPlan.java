package io.latchkey.drill;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Which faults come in which order: rounds of every kind, each round shuffled by the seed. Every fault also gets a random
 * source of its own, so that how long one took does not change what the next one does. Not thread-safe.
 */
final class FaultPlan {
    /** How often a kind that did not bite is tried again before the round is over for it. */
    private static final int AGAIN = 2;

    private final SplittableRandom random;
    private final List<FaultKind> kinds;
    private final List<Planned> rest = new ArrayList<>();
    private int rounds;

    /**
     * A fault to come.
     *
     * @param tried how often it was drawn before in this round and did not bite
     */
    record Planned(FaultKind kind, SplittableRandom random, int tried) {}

    FaultPlan(long seed, Collection<FaultKind> kinds) {
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException("a plan needs a kind of fault");
        }
        this.random = new SplittableRandom(seed);
        this.kinds = List.copyOf(kinds);
    }

    /** The next fault. */
    Planned next() {
        if (rest.isEmpty()) {
            rounds++;
            kinds.forEach(kind -> rest.add(new Planned(kind, random.split(), 0)));
            for (int i = rest.size() - 1; i > 0; i--) {
                int j = random.nextInt(i + 1);
                Planned swapped = rest.get(i);
                rest.set(i, rest.get(j));
                rest.set(j, swapped);
            }
        }
        return rest.remove(0);
    }

    /** The fault did nothing: it comes again at the end of the round, but not for ever. */
    void didNotBite(Planned planned) {
        if (planned.tried() < AGAIN) {
            rest.add(new Planned(planned.kind(), planned.random(), planned.tried() + 1));
        }
    }

    /** Whether every kind had its turn at least once, and nothing waits to be tried again. */
    boolean isRoundOver() {
        return rounds > 0 && rest.isEmpty();
    }

    /** Whether the first round is over. */
    boolean hadEach() {
        return rounds > 1 || isRoundOver();
    }
}
