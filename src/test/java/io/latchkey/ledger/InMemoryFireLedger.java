package io.latchkey.ledger;

import io.latchkey.election.Term;
import java.time.Clock;
import java.time.Duration;
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
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/**
 * A ledger in this process, for tests that need no ZooKeeper. The term opened last is the one there is; everything is
 * answered at once, under one lock. Owners are known by instance and term ("one-3"), and live until {@link #dies}.
 */
public final class InMemoryFireLedger implements FireLedger {
    private final Clock clock;
    private final Map<TriggerKey, Stored> cursors = new HashMap<>();
    private final Map<FireId, Held> running = new LinkedHashMap<>();
    private final Map<JobKey, History> history = new HashMap<>();
    private final Map<JobKey, Map<String, @Nullable Object>> jobData = new HashMap<>();
    private final TreeMap<String, Request> requests = new TreeMap<>();
    private final Map<TriggerKey, Instant> latest = new HashMap<>();
    private final Set<String> live = new java.util.HashSet<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private Paused paused = Paused.NOTHING;
    private @Nullable View current;
    private long writes;

    private record Stored(Cursor cursor, long version) {}

    public InMemoryFireLedger(Clock clock) {
        this.clock = clock;
    }

    /** The incarnation under which a term's claims are recorded here. */
    public static String incarnation(Term term) {
        return term.instanceId() + "-" + term.number();
    }

    /** The instance of this incarnation is gone. */
    public synchronized void dies(String incarnation) {
        live.remove(incarnation);
    }

    @Override
    public void requireKnownFormats() {
        // All of it is of this version.
    }

    /** As by an operator's hand. */
    public synchronized void deleteCursor(TriggerKey key) {
        cursors.remove(key);
    }

    /** As by an operator's hand. */
    public synchronized void deleteRecord(FireId id) {
        running.remove(id);
    }

    /** What the history holds of a job, and the finished records not folded yet. */
    public synchronized List<HistoryEntry> history(JobKey job) {
        List<RunningRecord> records = running.values().stream()
                .map(Held::record)
                .filter(r -> r.job().equals(job))
                .toList();
        return history.getOrDefault(job, History.EMPTY).shownWith(records);
    }

    @Override
    public synchronized TermLedger open(Term term) {
        live.add(incarnation(term));
        View view = new View(term);
        current = view;
        return view;
    }

    @Override
    public synchronized CompletableFuture<Completion> complete(
            Claimed fire, Outcome outcome, @Nullable Map<String, @Nullable Object> persistedJobData) {
        return end(fire, fire.record().done(outcome), persistedJobData);
    }

    @Override
    public synchronized CompletableFuture<Completion> retry(
            Claimed fire, Outcome ended, Retry retry, @Nullable Map<String, @Nullable Object> persistedJobData) {
        return end(fire, fire.record().again(ended, retry), persistedJobData);
    }

    private CompletableFuture<Completion> end(
            Claimed fire, RunningRecord end, @Nullable Map<String, @Nullable Object> persistedJobData) {
        Completion completion = change(fire, end);
        if (completion instanceof Completion.Recorded && persistedJobData != null) {
            jobData.put(fire.record().job(), JobData.of(persistedJobData).values());
        }
        return CompletableFuture.completedFuture(completion);
    }

    @Override
    public synchronized CompletableFuture<Completion> release(Claimed fire) {
        return CompletableFuture.completedFuture(change(fire, fire.record().released()));
    }

    private Completion change(Claimed fire, RunningRecord to) {
        Held there = running.get(fire.id());
        if (there == null
                || there.version() != fire.version()
                || !there.record().equals(fire.record())) {
            return new Completion.Overtaken("its record has changed or is gone");
        }
        running.put(fire.id(), new Held(to, there.version() + 1));
        return new Completion.Recorded();
    }

    @Override
    public String submit(Request request) {
        String name;
        synchronized (this) {
            name = String.format("request-%010d", ++writes);
            requests.put(name, request.named(name));
        }
        listeners.forEach(Runnable::run);
        return name;
    }

    @Override
    public void close() {}

    private final class View implements TermLedger {
        private final Term term;
        private final Map<TriggerKey, Long> versions = new HashMap<>();

        private View(Term term) {
            this.term = term;
        }

        private boolean fenced() {
            if (current != this) {
                term.over("another term began");
                return true;
            }
            return false;
        }

        private Attempt attempt(int number) {
            Owner owner = new Owner(term.instanceId(), incarnation(term), term.number(), term.token());
            return new Attempt(number, owner, UUID.randomUUID().toString(), clock.instant());
        }

        private void put(Cursor cursor) {
            long version = ++writes;
            cursors.put(cursor.trigger(), new Stored(cursor, version));
            versions.put(cursor.trigger(), version);
        }

        private void skip(Optional<Skipped> skip) {
            skip.map(s -> RunningRecord.skipped(s, attempt(1))).ifPresent(r -> {
                running.putIfAbsent(r.id(), new Held(r, 0));
                slot(r.id());
            });
        }

        private void slot(FireId id) {
            latest.merge(id.trigger(), id.slot(), (a, b) -> a.isAfter(b) ? a : b);
        }

        @Override
        public LedgerState load() {
            synchronized (InMemoryFireLedger.this) {
                Map<TriggerKey, Cursor> all = new LinkedHashMap<>();
                cursors.forEach((key, stored) -> {
                    all.put(key, stored.cursor());
                    versions.put(key, stored.version());
                });
                return new LedgerState(
                        all, Map.of(), running(), liveIncarnations(), paused, new HashMap<>(jobData), requests());
            }
        }

        @Override
        public WriteResult write(List<CursorWrite> writes) {
            synchronized (InMemoryFireLedger.this) {
                if (fenced()) {
                    return new WriteResult.Fenced("another term began");
                }
                for (CursorWrite write : writes) {
                    if (write instanceof CursorWrite.Put p) {
                        put(p.cursor());
                        skip(p.skip());
                    } else {
                        cursors.remove(write.trigger());
                        versions.remove(write.trigger());
                    }
                }
                return new WriteResult.Written(Map.of());
            }
        }

        @Override
        public List<ClaimResult> claim(List<ClaimRequest> batch) {
            synchronized (InMemoryFireLedger.this) {
                List<ClaimResult> out = new ArrayList<>();
                for (ClaimRequest request : batch) {
                    out.add(fenced() ? new ClaimResult.Fenced(request.id(), "another term began") : one(request));
                }
                return out;
            }
        }

        private ClaimResult one(ClaimRequest request) {
            FireId id = request.id();
            if (request instanceof ClaimRequest.Retake retake) {
                Held previous = retake.previous();
                Held now = running.get(id);
                if (now == null || now.version() != previous.version()) {
                    return new ClaimResult.AlreadyDecided(id, "its record has changed or is gone");
                }
                RunningRecord was = previous.record();
                int number = was.current().number() + (was.state() == RunningRecord.State.RELEASED ? 0 : 1);
                return claimed(was.retaken(attempt(number)), previous.version() + 1);
            } else if (request instanceof ClaimRequest.Requested asked) {
                if (requests.remove(asked.request().seq()) == null
                        || asked.request().job() == null) {
                    return new ClaimResult.AlreadyDecided(id, "the request is gone");
                }
                return claimed(RunningRecord.claimed(id, asked.request().job(), asked.info(), attempt(1)), 0);
            } else if (request instanceof ClaimRequest.Due due) {
                Stored there = cursors.get(id.trigger());
                Long known = versions.get(id.trigger());
                if (there == null || known == null || known != there.version()) {
                    if (there == null) {
                        versions.remove(id.trigger());
                    } else {
                        versions.put(id.trigger(), there.version());
                    }
                    return new ClaimResult.CursorConflict(
                            id, there == null ? null : there.cursor(), latest.get(id.trigger()));
                }
                Instant last = latest.get(id.trigger());
                boolean before = last != null && !id.slot().isAfter(last);
                put(due.after());
                skip(due.skip());
                if (before || running.containsKey(id)) {
                    return new ClaimResult.AlreadyDecided(id, "there was a record of this fire already");
                }
                return claimed(RunningRecord.claimed(id, due.job(), due.info(), attempt(1)), 0);
            }
            throw new IllegalArgumentException(request.toString());
        }

        private Claimed claimed(RunningRecord record, int version) {
            Held held = new Held(record, version);
            running.put(record.id(), held);
            slot(record.id());
            return new Claimed(held, term);
        }

        @Override
        public DecideResult abandon(Held held, String why) {
            synchronized (InMemoryFireLedger.this) {
                if (fenced()) {
                    return new DecideResult.Fenced("another term began");
                }
                FireId id = held.record().id();
                if (!held.equals(running.get(id))) {
                    return new DecideResult.Overtaken("its record has changed or is gone");
                }
                Outcome end = Outcome.failed(Outcome.Kind.ABANDONED, clock.instant(), Duration.ZERO, why);
                Held now = new Held(held.record().done(end), held.version() + 1);
                running.put(id, now);
                return new DecideResult.Decided(now);
            }
        }

        @Override
        public Optional<Held> read(FireId id) {
            synchronized (InMemoryFireLedger.this) {
                return Optional.ofNullable(running.get(id));
            }
        }

        @Override
        public List<Held> running() {
            synchronized (InMemoryFireLedger.this) {
                return List.copyOf(running.values());
            }
        }

        @Override
        public Set<String> liveIncarnations() {
            synchronized (InMemoryFireLedger.this) {
                return Set.copyOf(live);
            }
        }

        @Override
        public Optional<Map<String, @Nullable Object>> jobData(JobKey job) {
            synchronized (InMemoryFireLedger.this) {
                return Optional.ofNullable(jobData.get(job));
            }
        }

        @Override
        public Map<TriggerKey, Instant> latestSlots(Collection<JobKey> jobs) {
            synchronized (InMemoryFireLedger.this) {
                return Map.copyOf(latest);
            }
        }

        @Override
        public List<Request> requests() {
            synchronized (InMemoryFireLedger.this) {
                return List.copyOf(requests.values());
            }
        }

        @Override
        public void onRequests(Runnable listener) {
            listeners.add(listener);
        }

        @Override
        public WriteResult answer(Request request, Optional<Paused> set) {
            synchronized (InMemoryFireLedger.this) {
                if (fenced()) {
                    return new WriteResult.Fenced("another term began");
                }
                if (requests.remove(request.seq()) != null) {
                    paused = set.orElse(paused);
                }
                return new WriteResult.Written(Map.of());
            }
        }

        @Override
        public WriteResult pause(Paused now) {
            synchronized (InMemoryFireLedger.this) {
                if (fenced()) {
                    return new WriteResult.Fenced("another term began");
                }
                paused = now;
                return new WriteResult.Written(Map.of());
            }
        }

        @Override
        public WriteResult forget(JobKey job) {
            synchronized (InMemoryFireLedger.this) {
                history.remove(job);
                jobData.remove(job);
                return new WriteResult.Written(Map.of());
            }
        }

        @Override
        public void fold() {
            synchronized (InMemoryFireLedger.this) {
                List<Held> done = running.values().stream()
                        .filter(h -> h.record().state() == RunningRecord.State.DONE)
                        .toList();
                for (Held held : done) {
                    history.merge(
                            held.record().job(),
                            History.EMPTY.with(List.of(held.record()), 50),
                            (a, b) -> a.with(List.of(held.record()), 50));
                    running.remove(held.record().id());
                }
            }
        }

        @Override
        public void close() {}
    }
}
