package io.latchkey.drill;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One fault, as it went.
 *
 * @param kind which kind
 * @param target who or what was hit, for people
 * @param injected when it began
 * @param healed when it was undone
 * @param settled when the service had caught up again, or was given up on
 * @param effect what it did
 */
record FaultTry(FaultKind kind, String target, Instant injected, Instant healed, Instant settled, Effect effect) {

    /**
     * What a fault did.
     *
     * @param bit whether it did anything; if not, it counts for nothing
     * @param note what was seen, for people
     * @param cuts who could not do what when
     * @param byHand what was deleted
     * @param bound within which another instance had to lead; null if none had to
     */
    record Effect(
            boolean bit,
            String note,
            List<Cut> cuts,
            List<HandDeletion> byHand,
            @Nullable Duration bound) {
        Effect {
            cuts = List.copyOf(cuts);
            byHand = List.copyOf(byHand);
        }
    }

    /**
     * An instance that was kept from the whole ensemble, or frozen.
     *
     * @param frozen whether the process stood still; otherwise the network was gone
     */
    record Cut(String instance, Instant from, Instant to, boolean frozen) {
        boolean covers(String who, Instant time) {
            return instance.equals(who) && !time.isBefore(from) && !time.isAfter(to);
        }
    }

    /**
     * Part of the ledger that an operator's hand deleted; what it knew is lost, and no fault of the service.
     *
     * @param slot of a running record; null for a cursor
     * @param until a cursor was there again
     */
    record HandDeletion(String trigger, @Nullable Instant slot, Instant at, Instant until) {}

    /** Whether something at that time happened under this fault, or in its aftermath. */
    boolean covers(Instant time) {
        return !time.isBefore(injected) && !time.isAfter(settled);
    }

    /** From the fault to the first start by another instance under a later term. */
    Optional<Duration> takeover(List<RunLine> lines) {
        return lines.stream()
                .filter(RunLine::isStart)
                .filter(line -> line.at().isBefore(injected))
                .reduce((a, b) -> b.term() >= a.term() ? b : a)
                .flatMap(before -> lines.stream()
                        .filter(RunLine::isStart)
                        .filter(line -> covers(line.at())
                                && line.term() > before.term()
                                && !line.instance().equals(before.instance()))
                        .findFirst())
                .map(first -> Duration.between(injected, first.at()));
    }
}
