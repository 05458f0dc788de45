package io.latchkey.scheduler;

import io.latchkey.election.Term;
import io.latchkey.ledger.Attempt;
import io.latchkey.ledger.ClaimRequest;
import io.latchkey.ledger.ClaimResult;
import io.latchkey.ledger.Claimed;
import io.latchkey.ledger.Completion;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.CursorWrite;
import io.latchkey.ledger.DecideResult;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.FireLedger;
import io.latchkey.ledger.Held;
import io.latchkey.ledger.LedgerState;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.Owner;
import io.latchkey.ledger.Paused;
import io.latchkey.ledger.Request;
import io.latchkey.ledger.Retry;
import io.latchkey.ledger.RunningRecord;
import io.latchkey.ledger.Skipped;
import io.latchkey.ledger.TermLedger;
import io.latchkey.ledger.WriteResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/**
 * A ledger in memory that a test can make refuse: {@link #onClaim} may answer a claim in its place. All state is public
 * to the test through methods; every method takes the one lock.
 */
final class ScriptedLedger implements FireLedger {
    final Map<TriggerKey, Cursor> cursors = new ConcurrentHashMap<>();
    final Map<TriggerKey, String> malformed = new ConcurrentHashMap<>();
    final Map<FireId, Held> records = new ConcurrentHashMap<>();
    final List<Skipped> skipped = new ArrayList<>();
    final Map<JobKey, Map<String, @Nullable Object>> data = new ConcurrentHashMap<>();
    final Map<TriggerKey, Instant> latest = new ConcurrentHashMap<>();
    final Set<String> live = ConcurrentHashMap.newKeySet();
    final Map<String, Request> requests = new TreeMap<>();
    /** Answers a claim in place of the ledger, or returns null. */
    volatile Function<ClaimRequest, @Nullable ClaimResult> onClaim = request -> null;
    /** Runs before each batch is claimed. */
    volatile Runnable beforeClaim = () -> {};

    volatile Paused paused = Paused.NOTHING;
    private int sequence;
    private final List<Runnable> listeners = new ArrayList<>();
    private @Nullable Term current;

    @Override
    public void requireKnownFormats() {
        // All of it is of this version.
    }

    /** A cursor that must be there. */
    Cursor cursor(TriggerKey trigger) {
        return Optional.ofNullable(cursors.get(trigger)).orElseThrow();
    }

    /** How fires ended, by id. */
    synchronized Map<FireId, Outcome> outcomes() {
        Map<FireId, Outcome> done = new LinkedHashMap<>();
        records.forEach((id, held) -> {
            Outcome outcome = held.record().outcome();
            if (outcome != null) {
                done.put(id, outcome);
            }
        });
        return done;
    }

    synchronized List<FireId> ended(Outcome.Kind kind) {
        return outcomes().entrySet().stream()
                .filter(entry -> entry.getValue().kind() == kind)
                .map(Map.Entry::getKey)
                .sorted(java.util.Comparator.comparing(FireId::slot))
                .toList();
    }

    synchronized List<Skipped> skips() {
        return List.copyOf(skipped);
    }

    @Override
    public synchronized TermLedger open(Term term) {
        current = term;
        live.add(term.incarnation());
        return new View(term);
    }

    @Override
    public synchronized CompletableFuture<Completion> complete(
            Claimed fire, Outcome outcome, @Nullable Map<String, @Nullable Object> persisted) {
        return end(fire, fire.record().done(outcome), persisted);
    }

    @Override
    public synchronized CompletableFuture<Completion> retry(
            Claimed fire, Outcome ended, Retry retry, @Nullable Map<String, @Nullable Object> persisted) {
        return end(fire, fire.record().again(ended, retry), persisted);
    }

    private CompletableFuture<Completion> end(
            Claimed fire, RunningRecord end, @Nullable Map<String, @Nullable Object> persisted) {
        if (!live.contains(fire.term().incarnation())) {
            return CompletableFuture.completedFuture(new Completion.GivenUp("session gone"));
        }
        if (!change(fire, end)) {
            return CompletableFuture.completedFuture(new Completion.Overtaken("decided before"));
        }
        if (persisted != null) {
            data.put(fire.record().job(), new HashMap<>(persisted));
        }
        return CompletableFuture.completedFuture(new Completion.Recorded());
    }

    @Override
    public synchronized CompletableFuture<Completion> release(Claimed fire) {
        boolean changed = change(fire, fire.record().released());
        return CompletableFuture.completedFuture(
                changed ? new Completion.Recorded() : new Completion.Overtaken("decided before"));
    }

    private boolean change(Claimed fire, RunningRecord next) {
        Held now = records.get(fire.id());
        if (now == null || now.version() != fire.version()) {
            return false;
        }
        records.put(fire.id(), new Held(next, now.version() + 1));
        return true;
    }

    @Override
    public String submit(Request request) {
        String name;
        List<Runnable> told;
        synchronized (this) {
            name = String.format("%010d", sequence++);
            requests.put(name, request.named(name));
            told = List.copyOf(listeners);
        }
        told.forEach(Runnable::run);
        return name;
    }

    @Override
    public void close() {}

    /** A record as another instance left it. */
    synchronized void plant(RunningRecord record) {
        records.put(record.id(), new Held(record, 0));
    }

    /** Another instance ends a fire it holds. */
    synchronized void endElsewhere(FireId id, Outcome outcome) {
        Held held = records.get(id);
        if (held == null) {
            throw new IllegalStateException("no record of " + id);
        }
        records.put(id, new Held(held.record().done(outcome), held.version() + 1));
    }

    private final class View implements TermLedger {
        private final Term term;

        private View(Term term) {
            this.term = term;
        }

        private boolean over() {
            return current != term;
        }

        @Override
        public LedgerState load() {
            synchronized (ScriptedLedger.this) {
                return new LedgerState(
                        Map.copyOf(cursors),
                        Map.copyOf(malformed),
                        List.copyOf(records.values()),
                        Set.copyOf(live),
                        paused,
                        Map.copyOf(data),
                        List.copyOf(requests.values()));
            }
        }

        @Override
        public WriteResult write(List<CursorWrite> writes) {
            synchronized (ScriptedLedger.this) {
                if (over()) {
                    return new WriteResult.Fenced("another term");
                }
                for (CursorWrite write : writes) {
                    if (write instanceof CursorWrite.Put put) {
                        cursors.put(put.trigger(), put.cursor());
                        put.skip().ifPresent(skipped::add);
                    } else {
                        cursors.remove(write.trigger());
                    }
                }
                return new WriteResult.Written(Map.of());
            }
        }

        @Override
        public List<ClaimResult> claim(List<ClaimRequest> batch) {
            beforeClaim.run();
            synchronized (ScriptedLedger.this) {
                return batch.stream().map(this::claim).toList();
            }
        }

        private ClaimResult claim(ClaimRequest request) {
            ClaimResult scripted = onClaim.apply(request);
            if (scripted != null) {
                return scripted;
            }
            if (over()) {
                return new ClaimResult.Fenced(request.id(), "another term");
            }
            Held before = records.get(request.id());
            Attempt attempt = new Attempt(
                    1,
                    new Owner(term.instanceId(), term.incarnation(), term.number(), term.token()),
                    UUID.randomUUID().toString(),
                    Instant.now());
            Held held;
            if (request instanceof ClaimRequest.Due due) {
                if (before != null) {
                    return new ClaimResult.AlreadyDecided(request.id(), "has a record");
                }
                cursors.put(due.id().trigger(), due.after());
                due.skip().ifPresent(skipped::add);
                held = new Held(RunningRecord.claimed(due.id(), due.job(), due.info(), attempt), 0);
            } else if (request instanceof ClaimRequest.Retake retake) {
                if (before == null || before.version() != retake.previous().version()) {
                    return new ClaimResult.AlreadyDecided(request.id(), "changed meanwhile");
                }
                RunningRecord record = retake.previous().record();
                int number = record.current().number() + (record.state() == RunningRecord.State.RELEASED ? 0 : 1);
                Attempt next = new Attempt(number, attempt.owner(), attempt.nonce(), attempt.claimed());
                held = new Held(record.retaken(next), before.version() + 1);
            } else {
                ClaimRequest.Requested asked = (ClaimRequest.Requested) request;
                JobKey job = asked.request().job();
                if (job == null || requests.remove(asked.request().seq()) == null) {
                    return new ClaimResult.AlreadyDecided(request.id(), "no such request");
                }
                held = new Held(RunningRecord.claimed(asked.id(), job, asked.info(), attempt), 0);
            }
            records.put(request.id(), held);
            return new Claimed(held, term);
        }

        @Override
        public DecideResult abandon(Held record, String why) {
            synchronized (ScriptedLedger.this) {
                Held now = records.get(record.record().id());
                if (now == null || now.version() != record.version()) {
                    return new DecideResult.Overtaken("changed meanwhile");
                }
                Outcome end = Outcome.failed(Outcome.Kind.ABANDONED, Instant.now(), java.time.Duration.ZERO, why);
                Held done = new Held(record.record().done(end), record.version() + 1);
                records.put(record.record().id(), done);
                return new DecideResult.Decided(done);
            }
        }

        @Override
        public Optional<Held> read(FireId id) {
            return Optional.ofNullable(records.get(id));
        }

        @Override
        public List<Held> running() {
            return List.copyOf(records.values());
        }

        @Override
        public Set<String> liveIncarnations() {
            return Set.copyOf(live);
        }

        @Override
        public Optional<Map<String, @Nullable Object>> jobData(JobKey job) {
            return Optional.ofNullable(data.get(job));
        }

        @Override
        public Map<TriggerKey, Instant> latestSlots(Collection<JobKey> jobs) {
            return Map.copyOf(latest);
        }

        @Override
        public List<Request> requests() {
            synchronized (ScriptedLedger.this) {
                return List.copyOf(requests.values());
            }
        }

        @Override
        public void onRequests(Runnable listener) {
            synchronized (ScriptedLedger.this) {
                listeners.add(listener);
            }
        }

        @Override
        public WriteResult answer(Request request, Optional<Paused> set) {
            synchronized (ScriptedLedger.this) {
                requests.remove(request.seq());
                set.ifPresent(value -> paused = value);
                return new WriteResult.Written(Map.of());
            }
        }

        @Override
        public WriteResult pause(Paused now) {
            synchronized (ScriptedLedger.this) {
                if (over()) {
                    return new WriteResult.Fenced("another term");
                }
                paused = now;
                return new WriteResult.Written(Map.of());
            }
        }

        @Override
        public WriteResult forget(JobKey job) {
            data.remove(job);
            return new WriteResult.Written(Map.of());
        }

        @Override
        public void fold() {}

        @Override
        public void close() {}
    }
}
