package io.latchkey.drill;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One fault: made, undone, and then asked whether it did anything. Made for one try. Used by the drill's thread.
 */
abstract class Fault {
    private static final double WORTH_SAYING = 1.5;

    private final Rig rig;
    private final SplittableRandom random;
    private final List<FaultTry.Cut> cuts = new ArrayList<>();
    private final List<FaultTry.HandDeletion> byHand = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private @Nullable Duration bound;
    private boolean byAnother;
    private @Nullable Instant struck;

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
        boolean bit = bit(after);
        Duration latch = bound;
        FaultTry.Bound within = null;
        if (latch != null) {
            Pace.Measured pace = rig.pace().measured();
            within = new FaultTry.Bound(
                    latch.plus(pace.allow(limits().work(), after.injected(), after.settled())), byAnother);
            double stretch = pace.stretch(after.injected(), after.settled());
            if (stretch >= WORTH_SAYING) {
                note(String.format(Locale.ROOT, "on a machine %.1f times as slow as an idle one", stretch));
            }
        }
        return new FaultTry.Effect(bit, String.join("; ", notes), cuts, byHand, within);
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

    /** Now it begins; without this it did when {@link #inject} was called. */
    final void strike() {
        struck = Instant.now();
    }

    /** When it began, if it said so. */
    final Optional<Instant> struck() {
        return Optional.ofNullable(struck);
    }

    /** Another instance has to hold the latch within this, and then start something. */
    final void takeoverWithin(Duration latch) {
        bound = latch;
        byAnother = true;
    }

    /** Somebody has to hold the latch again within this, and then start something. */
    final void ledAgainWithin(Duration latch) {
        bound = latch;
        byAnother = false;
    }

    final void cut(String instance, Instant from, FaultTry.Cut.How how) {
        cuts.add(new FaultTry.Cut(instance, from, Instant.now(), how));
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
