package io.latchkey.metrics;

import io.latchkey.ledger.Attempt;
import io.latchkey.ledger.AuditRecord;
import io.latchkey.ledger.ClaimResult;
import io.latchkey.ledger.Claimed;
import io.latchkey.ledger.LedgerEvents;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.Request;
import io.latchkey.ledger.RunningRecord;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Claims, outcomes and requests, as this process wrote them. */
final class LedgerMetrics implements LedgerEvents {
    /** What came of a claim. */
    private enum Result {
        CLAIMED,
        FENCED,
        CURSOR,
        DECIDED,
        LIMIT,
        UNKNOWN
    }

    private static final String FIRES = "Fires by their final outcome, each counted by the instance that recorded it";

    private final MeterRegistry registry;
    private final Labels jobs = new Labels();
    private final Meters.Each<Result> claims;
    private final Timer claimTime;
    private final Counter caughtUp;
    private final Counter skipped;
    private final Counter recovered;
    private final Counter retries;
    private final AtomicInteger waiting = new AtomicInteger();

    LedgerMetrics(MeterRegistry registry) {
        this.registry = registry;
        claims = Meters.each(
                registry,
                "latchkey.claims",
                "Claims by result: claimed; refused at the fence, for a changed cursor, as decided before, at a limit;"
                        + " unknown",
                "result",
                Result.class);
        claimTime = Meters.timer(
                registry, "latchkey.claim", "From asking for a batch of claims to knowing of each", Meters.ROUND_TRIP);
        caughtUp = counter("latchkey.caught.up", "Runs of slots that came due while nobody led");
        skipped = counter(
                "latchkey.skipped.slots", "Slots that were not run: by a misfire instruction, a limit, or a pile-up");
        recovered = counter("latchkey.recovered", "Fires run again because the instance that ran them had died");
        retries = counter("latchkey.retries", "Failed attempts whose fire is tried again");
        for (Outcome.Kind kind : Outcome.Kind.values()) {
            // There before the first of them, so that an alert sees it come.
            if (kind != Outcome.Kind.RECOVERED) {
                total(kind).increment(0);
            }
        }
        for (Request.Kind kind : Request.Kind.values()) {
            requests(kind, AuditRecord.Verdict.DONE).increment(0);
            requests(kind, AuditRecord.Verdict.REFUSED).increment(0);
        }
        Gauge.builder("latchkey.requests.waiting", waiting, AtomicInteger::get)
                .description("Requests that wait for an answer, as this leader saw last")
                .strongReference(true)
                .register(registry);
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    private Counter total(Outcome.Kind kind) {
        return Counter.builder("latchkey.fires")
                .description(FIRES)
                .tag("outcome", Meters.text(kind))
                .register(registry);
    }

    private Counter requests(Request.Kind kind, AuditRecord.Verdict verdict) {
        return Counter.builder("latchkey.requests")
                .description("Requests of operators and jobs that this leader answered")
                .tag("kind", Meters.text(kind))
                .tag("verdict", Meters.text(verdict))
                .register(registry);
    }

    @Override
    public void claimed(List<ClaimResult> results, Duration took) {
        claimTime.record(took);
        for (ClaimResult result : results) {
            claims.count(kind(result));
            if (result instanceof Claimed claimed) {
                claimed(claimed.record());
            }
        }
    }

    void claimed(RunningRecord record) {
        List<Attempt> earlier = record.earlier();
        if (earlier.isEmpty() && record.info().missed().catchUp()) {
            caughtUp.increment();
        }
        if (!earlier.isEmpty() && earlier.get(earlier.size() - 1).ended() == null) {
            recovered.increment();
        }
        if (earlier.isEmpty() && record.id().trigger().getGroup().equals(Request.GROUP)) {
            requests(Request.Kind.TRIGGER, AuditRecord.Verdict.DONE).increment();
        }
    }

    private static Result kind(ClaimResult result) {
        if (result instanceof Claimed) {
            return Result.CLAIMED;
        }
        if (result instanceof ClaimResult.Fenced) {
            return Result.FENCED;
        }
        if (result instanceof ClaimResult.CursorConflict) {
            return Result.CURSOR;
        }
        if (result instanceof ClaimResult.AlreadyDecided) {
            return Result.DECIDED;
        }
        return result instanceof ClaimResult.Refused ? Result.LIMIT : Result.UNKNOWN;
    }

    @Override
    public void decided(RunningRecord done) {
        Outcome outcome = done.outcome();
        if (outcome == null) {
            return;
        }
        total(outcome.kind()).increment((double) outcome.count());
        if (outcome.kind() == Outcome.Kind.SKIPPED) {
            skipped.increment((double) outcome.count());
        }
        Counter.builder("latchkey.job.fires")
                .description("The same by job; beyond the first " + Labels.MOST_JOBS + " jobs under other")
                .tags(jobs.of(done.job()))
                .tag("outcome", Meters.text(outcome.kind()))
                .register(registry)
                .increment((double) outcome.count());
        if (!outcome.ran().isZero()) {
            Timer.builder("latchkey.job.run")
                    .description("How long jobs ran, their last attempt")
                    .tags(jobs.of(done.job()))
                    .register(registry)
                    .record(outcome.ran());
        }
    }

    @Override
    public void retried(RunningRecord record) {
        retries.increment();
    }

    @Override
    public void answered(Request.Kind kind, AuditRecord.Verdict verdict) {
        requests(kind, verdict).increment();
    }

    @Override
    public void waiting(int requests) {
        waiting.set(requests);
    }
}
