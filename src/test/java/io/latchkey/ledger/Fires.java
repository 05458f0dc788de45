package io.latchkey.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/** What the ledger's tests claim: a trigger every ten seconds, named as wanted. */
final class Fires {
    static final Instant NOON = Instant.parse("2026-11-29T12:00:00Z");
    static final JobKey JOB = new JobKey("job", "ops");
    static final RunInfo PLAIN = new RunInfo(false, false, Missed.NONE, Map.of());

    private Fires() {}

    static TriggerKey trigger(String name) {
        return new TriggerKey(name, "ops");
    }

    static Cursor cursor(String name) {
        return Cursor.first(trigger(name), JOB, "print", new Cursor.Anchor(NOON, -1), NOON);
    }

    static CursorWrite put(String name) {
        return new CursorWrite.Put(cursor(name), Optional.empty());
    }

    /** The n-th slot of a trigger. */
    static ClaimRequest.Due due(String name, int n) {
        Instant slot = slot(n);
        Cursor after = new Cursor(
                trigger(name),
                JOB,
                "print",
                new Cursor.Anchor(NOON, -1),
                new Cursor.Place(slot.plusSeconds(10), slot, n + 1),
                null);
        return new ClaimRequest.Due(new FireId(trigger(name), slot), JOB, after, Optional.empty(), PLAIN);
    }

    static ClaimRequest.Due dueSkipping(String name, int n) {
        ClaimRequest.Due due = due(name, n);
        return new ClaimRequest.Due(due.id(), due.job(), due.after(), Optional.of(skip(name, n)), due.info());
    }

    /** All slots before the n-th. */
    static Skipped skip(String name, int n) {
        return new Skipped(trigger(name), JOB, NOON, slot(n - 1), n, "missed");
    }

    static Instant slot(int n) {
        return NOON.plusSeconds(10L * n);
    }

    static Claimed claim(TermLedger term, ClaimRequest request) {
        ClaimResult result = term.claim(List.of(request)).get(0);
        if (result instanceof Claimed claimed) {
            return claimed;
        }
        throw new AssertionError("not claimed: " + result);
    }

    static Outcome succeeded() {
        return Outcome.succeeded(NOON.plusSeconds(1), Duration.ofSeconds(1));
    }

    static Outcome failed(String error) {
        return Outcome.failed(Outcome.Kind.FAILED, NOON.plusSeconds(1), Duration.ofSeconds(1), error);
    }

    static Held find(List<Held> records, FireId id) {
        return records.stream()
                .filter(held -> held.record().id().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no record of " + id + " in " + records));
    }
}
