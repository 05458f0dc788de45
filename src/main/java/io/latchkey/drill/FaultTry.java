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
     * @param bound within which somebody had to lead; null if that says nothing
     */
    record Effect(
            boolean bit,
            String note,
            List<Cut> cuts,
            List<HandDeletion> byHand,
            @Nullable Bound bound) {
        Effect {
            cuts = List.copyOf(cuts);
            byHand = List.copyOf(byHand);
        }
    }

    /**
     * Until when something had to be started again.
     *
     * @param time from the fault's beginning
     * @param byAnother whether another instance had to; otherwise the same one in its next term will do
     */
    record Bound(Duration time, boolean byAnother) {}

    /**
     * An instance that was kept from the whole ensemble, frozen, or robbed of its session.
     *
     * @param to when that was undone; of a session's end, when it ended
     */
    record Cut(String instance, Instant from, Instant to, How how) {
        enum How {
            /** The network was gone. */
            NETWORK,
            /** The process stood still. */
            FROZEN,
            /** The session was ended at once, from outside. */
            SESSION_ENDED
        }

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

    /** From the fault to the first start under a later term, by another instance where it had to be; empty if none had to. */
    Optional<Duration> takeover(List<RunLine> lines) {
        Bound owed = effect.bound();
        return owed == null ? Optional.empty() : ledAgain(lines, owed.byAnother());
    }

    private Optional<Duration> ledAgain(List<RunLine> lines, boolean byAnother) {
        return lines.stream()
                .filter(RunLine::isStart)
                .filter(line -> line.at().isBefore(injected))
                .reduce((a, b) -> b.term() >= a.term() ? b : a)
                .flatMap(before -> lines.stream()
                        .filter(RunLine::isStart)
                        .filter(line -> covers(line.at())
                                && line.term() > before.term()
                                && !(byAnother && line.instance().equals(before.instance())))
                        .findFirst())
                .map(first -> Duration.between(injected, first.at()));
    }
}
