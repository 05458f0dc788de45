package io.latchkey.ledger;

import io.latchkey.election.Term;
import io.latchkey.ledger.Part.Result;
import io.latchkey.zookeeper.FormatTooNewException;
import io.latchkey.zookeeper.ReadResult.Found;
import io.latchkey.zookeeper.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.TriggerKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One term's view of the ledger in ZooKeeper: all reads and writes on the term's own session. */
final class ZooKeeperTermLedger implements TermLedger {
    private static final Logger log = LoggerFactory.getLogger(ZooKeeperTermLedger.class);

    private final Term term;
    private final ZooKeeperFireLedger ledger;
    private final TermWork work;
    private final Reads reads;
    private final LedgerLoader loader;
    private final Claims claims;
    private final CursorWrites cursors;
    private final AuditTrail audit;
    private final HistoryFolder folder;
    private final TermChores chores;

    ZooKeeperTermLedger(ZooKeeperFireLedger ledger, Term term, FencedWriter writer) {
        this.term = term;
        this.ledger = ledger;
        this.reads = new Reads(term.session());
        this.work = ledger.work(term, writer, this::skipped);
        this.loader = LedgerLoader.ofTerm(work.nodes(), reads);
        this.claims = new Claims(work, loader, late -> {
            if (late.tryRelease()) {
                log.info("{} was found claimed after it had been given up: released", late.id());
                var unused = ledger.release(late);
            }
        });
        this.cursors = new CursorWrites(work, loader);
        this.audit = new AuditTrail(work, reads);
        this.folder = new HistoryFolder(work, reads, ledger.settings().historyPerJob(), audit);
        this.chores = new TermChores(work, reads, loader, folder, audit, ledger.background());
    }

    private void skipped(Held held) {
        ledger.events().decided(held.record());
        finished(held);
    }

    void finished(Held held) {
        folder.add(held);
    }

    @Override
    public LedgerState load() throws LedgerException {
        work.parents()
                .ensureAll(
                        List.of(
                                work.nodes().triggers(),
                                work.nodes().running(),
                                work.nodes().jobs(),
                                work.nodes().history(),
                                work.nodes().requests()),
                        term.session());
        LedgerLoader.Everything found = loader.everything();
        work.known().cursorVersions(found.cursors().versions());
        found.cursors()
                .good()
                .forEach((key, cursor) -> work.known().slot(key, cursor.place().previous()));
        work.known().running(found.runningPaths());
        for (Held held : found.running()) {
            work.known().slot(held.record().id());
            if (held.record().state() == RunningRecord.State.DONE) {
                folder.add(held);
            }
        }
        LedgerState state = new LedgerState(
                found.cursors().good(),
                found.cursors().malformed(),
                found.running(),
                found.live(),
                found.paused(),
                found.jobData(),
                found.requests());
        chores.start();
        return state;
    }

    @Override
    public WriteResult write(List<CursorWrite> writes) {
        synchronized (work) {
            return cursors.write(writes);
        }
    }

    @Override
    public List<ClaimResult> claim(List<ClaimRequest> batch) {
        long from = System.nanoTime();
        List<ClaimResult> results;
        synchronized (work) {
            results = claims.claim(batch);
        }
        ledger.events().claimed(results, Duration.ofNanos(System.nanoTime() - from));
        return results;
    }

    @Override
    public DecideResult abandon(Held held, String why) {
        RunningRecord end = held.record()
                .done(Outcome.failed(Outcome.Kind.ABANDONED, work.clock().instant(), Duration.ZERO, why));
        String path = work.runningPath(end.id());
        byte[] data = LedgerJson.write(end);
        Part part =
                new Part(new Transaction().set(path, data, held.version()), Part.holds(path, data, held.version() + 1));
        Result result = work.writer().commit(List.of(part)).get(0);
        if (result instanceof Result.Stands) {
            log.warn("{} is ABANDONED, not run again: {}", end.id(), why);
            Held now = new Held(end, held.version() + 1);
            ledger.events().decided(end);
            folder.add(now);
            return new DecideResult.Decided(now);
        } else if (result instanceof Result.Fenced fenced) {
            return new DecideResult.Fenced(fenced.reason());
        } else if (result instanceof Result.Failed failed) {
            return new DecideResult.Overtaken("its record has changed or is gone: " + failed.reason());
        }
        return new DecideResult.GivenUp(result.toString());
    }

    @Override
    public Optional<Held> read(FireId id) throws LedgerException {
        return reading(
                () -> loader.running(List.of(work.runningPath(id))).stream().findFirst());
    }

    @Override
    public List<Held> running() throws LedgerException {
        List<String> paths = reads.childPaths(work.nodes().running());
        work.known().running(paths);
        return reading(() -> loader.running(paths));
    }

    @Override
    public Set<String> liveIncarnations() throws LedgerException {
        return loader.liveIncarnations();
    }

    @Override
    public Optional<Map<String, @Nullable Object>> jobData(JobKey job) throws LedgerException {
        return reading(() -> loader.jobData(job));
    }

    @Override
    public Map<TriggerKey, Instant> latestSlots(Collection<JobKey> jobs) throws LedgerException {
        Set<JobKey> asked = new HashSet<>(jobs);
        reading(() -> loader.histories(asked))
                .values()
                .forEach(history -> history.entries().forEach(e -> work.known().slot(e.id())));
        return work.known().latest();
    }

    @Override
    public List<Request> requests() throws LedgerException {
        List<Request> waiting = reading(loader::requests);
        ledger.events().waiting(waiting.size());
        return waiting;
    }

    private <T> T reading(Reads.Pending<T> read) throws LedgerException {
        try {
            return read.get();
        } catch (FormatTooNewException e) {
            throw work.forbid(e);
        }
    }

    @Override
    public void onRequests(Runnable listener) {
        chores.onRequests(listener);
    }

    @Override
    public WriteResult answer(Request request, Optional<Paused> paused) {
        String path = work.nodes().request(request.seq());
        Transaction ops = new Transaction().delete(path, Transaction.ANY_VERSION);
        // A run is answered by its claim: one that comes here could not be given.
        AuditRecord.Verdict verdict = request.kind() == Request.Kind.TRIGGER || request.kind() == Request.Kind.RELOAD
                ? AuditRecord.Verdict.REFUSED
                : AuditRecord.Verdict.DONE;
        try {
            if (paused.isPresent()) {
                ops.addAll(set(paused.get(), loader.rawPaused()));
            }
            audit.answer(request.seq(), verdict).ifPresent(ops::addAll);
        } catch (LedgerException e) {
            log.warn("The request of {} ({}) cannot be answered now: {}", request.by(), request.kind(), e.getMessage());
            log.debug("Request {}", request, e);
            return new WriteResult.GivenUp(String.valueOf(e.getMessage()));
        }
        Result result =
                work.writer().commit(List.of(new Part(ops, Part.gone(path)))).get(0);
        if (result instanceof Result.Stands) {
            ledger.events().answered(request.kind(), verdict);
        }
        return written(result);
    }

    @Override
    public WriteResult pause(Paused now) {
        String path = work.nodes().paused();
        byte[] data = LedgerJson.write(now);
        try {
            Optional<Found<byte[]>> there = loader.rawPaused();
            int version = there.map(found -> found.version() + 1).orElse(0);
            Part part = new Part(set(now, there), Part.holds(path, data, version));
            Result result = work.writer().commit(List.of(part)).get(0);
            return result instanceof Result.Failed failed
                    ? new WriteResult.GivenUp(path + " was changed meanwhile: " + failed.reason())
                    : written(result);
        } catch (LedgerException e) {
            log.debug("{} is not written", path, e);
            return new WriteResult.GivenUp(String.valueOf(e.getMessage()));
        }
    }

    private Transaction set(Paused now, Optional<Found<byte[]>> there) {
        byte[] data = LedgerJson.write(now);
        return there.isPresent()
                ? new Transaction().set(work.nodes().paused(), data, there.get().version())
                : new Transaction().create(work.nodes().paused(), data);
    }

    @Override
    public WriteResult forget(JobKey job) {
        try {
            List<Part> parts = new ArrayList<>();
            for (String path : List.of(
                    work.nodes().history(job.getGroup(), job.getName()),
                    work.nodes().job(job.getGroup(), job.getName()))) {
                reads.get(path)
                        .ifPresent(found ->
                                parts.add(new Part(new Transaction().delete(path, found.version()), Part.gone(path))));
            }
            WriteResult result = new WriteResult.Written(Map.of());
            for (Result one : work.writer().commit(parts)) {
                result = one instanceof Result.Failed ? result : written(one);
            }
            return result;
        } catch (LedgerException e) {
            log.warn("The history of job {} is not deleted now: {}", job, e.getMessage());
            log.debug("Not deleted", e);
            return new WriteResult.GivenUp(String.valueOf(e.getMessage()));
        }
    }

    /** A node that is gone already is as it should be. */
    private static WriteResult written(Result result) {
        if (result instanceof Result.Fenced fenced) {
            return new WriteResult.Fenced(fenced.reason());
        }
        return result instanceof Result.Stands || result instanceof Result.Failed
                ? new WriteResult.Written(Map.of())
                : new WriteResult.GivenUp(result.toString());
    }

    @Override
    public void fold() {
        chores.scanAndFold();
    }

    @Override
    public void close() {
        chores.close();
    }
}
