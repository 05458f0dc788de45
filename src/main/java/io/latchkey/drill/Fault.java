package io.latchkey.drill;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One fault: made, undone, and then asked whether it did anything. Made for one try. Used by the drill's thread.
 */
abstract class Fault {
    private final Rig rig;
    private final SplittableRandom random;
    private final List<FaultTry.Cut> cuts = new ArrayList<>();
    private final List<FaultTry.HandDeletion> byHand = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private @Nullable Duration bound;

    Fault(Rig rig, SplittableRandom random) {
        this.rig = rig;
        this.random = random;
    }

    /** Begins; gives whom it hits, for people. */
    abstract String inject() throws DrillException, InterruptedException;

    /** How long to let it be, from the end of {@link #inject}. */
    Duration lasts() {
        return Duration.ZERO;
    }

    /** Undoes what can be undone: starts what was ended, mends what was cut. */
    abstract void heal() throws DrillException, InterruptedException;

    /** Whether it did anything. */
    abstract boolean bit(Aftermath after) throws DrillException;

    final FaultTry.Effect effect(Aftermath after) throws DrillException {
        return new FaultTry.Effect(bit(after), String.join("; ", notes), cuts, byHand, bound);
    }

    final Rig rig() {
        return rig;
    }

    final Limits limits() {
        return rig.limits();
    }

    final SplittableRandom random() {
        return random;
    }

    final void note(String text) {
        notes.add(text);
    }

    /** Another instance has to lead within this, or longer where the machine has too much to do. */
    final void takeoverWithin(Duration time) {
        double busy = Busy.factor();
        bound = time.plus(times(limits().margin(), busy - 1));
        if (busy > 1) {
            note(String.format(Locale.ROOT, "load %.1f times the processors", busy));
        }
    }

    final void cut(String instance, Instant from, boolean frozen) {
        cuts.add(new FaultTry.Cut(instance, from, Instant.now(), frozen));
    }

    final void deletedByHand(String trigger, @Nullable Instant slot, Instant at, Instant until) {
        byHand.add(new FaultTry.HandDeletion(trigger, slot, at, until));
    }

    /** So many session timeouts, drawn. */
    final Duration sessions(double from, double to) {
        return times(limits().session(), from + (to - from) * random.nextDouble());
    }

    static Duration times(Duration duration, double factor) {
        return Duration.ofMillis(Math.round(duration.toMillis() * factor));
    }
}
