package io.latchkey.view;

import io.latchkey.jobs.JobCatalog;
import io.latchkey.jobs.JobSpec;
import io.latchkey.ledger.AuditRecord;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.HistoryEntry;
import io.latchkey.ledger.LedgerReader.JobStatus;
import io.latchkey.ledger.LedgerSnapshot;
import io.latchkey.ledger.PastTerm;
import io.latchkey.ledger.RunningRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/** A ledger as it was read, beside a configuration: what the console answers from. Immutable; safe for many threads. */
public final class LedgerView {
    private static final int RECENT = 20;
    private static final int NEXT_TIMES = 10;

    private final LedgerSnapshot ledger;
    private final JobCatalog catalog;
    private final Redaction redaction;
    private final Map<JobKey, JobsView.Job> jobs = new TreeMap<>();
    private final Map<TriggerKey, Cursor> cursors = new HashMap<>();
    private final List<FireView> running;
    private volatile @Nullable List<OutcomeView> outcomes;

    public LedgerView(LedgerSnapshot ledger, JobCatalog catalog, Redaction redaction) {
        this.ledger = ledger;
        this.catalog = catalog;
        this.redaction = redaction;
        Map<JobKey, List<Cursor>> byJob = new HashMap<>();
        for (Cursor cursor : ledger.cursors()) {
            cursors.put(cursor.trigger(), cursor);
            byJob.computeIfAbsent(cursor.job(), job -> new ArrayList<>()).add(cursor);
        }
        Map<JobKey, List<RunningRecord>> fires = new HashMap<>();
        ledger.running()
                .forEach(record -> fires.computeIfAbsent(record.job(), job -> new ArrayList<>())
                        .add(record));
        Collection<JobKey> keys = new TreeSet<>(byJob.keySet());
        keys.addAll(fires.keySet());
        keys.addAll(ledger.histories().keySet());
        // One that never ran and has no trigger is in no ledger, but can be triggered.
        catalog.jobs().stream().map(JobSpec::key).forEach(keys::add);
        for (JobKey key : keys) {
            List<HistoryEntry> past = ledger.histories().getOrDefault(key, List.of());
            JobStatus status = new JobStatus(
                    key,
                    byJob.getOrDefault(key, List.of()),
                    fires.getOrDefault(key, List.of()),
                    past.isEmpty() ? null : past.get(past.size() - 1));
            jobs.put(key, JobsView.Job.of(status, ledger.asked().paused(), ledger.live()));
        }
        running = ledger.running().stream()
                .map(record -> FireView.of(record, ledger.live()))
                .toList();
    }

    /** All jobs, by name, without what the configuration says of them. */
    public Collection<JobsView.Job> jobs() {
        return Collections.unmodifiableCollection(jobs.values());
    }

    /** All that is known of one of {@link #jobs}. */
    public JobEntry entry(JobsView.Job job) {
        List<HistoryEntry> past = ledger.histories().getOrDefault(job.key(), List.of());
        List<JobEntry.Recent> recent = new ArrayList<>();
        for (int i = past.size() - 1; i >= 0 && recent.size() < RECENT; i--) {
            recent.add(new JobEntry.Recent(
                    past.get(i).outcome().at(),
                    past.get(i).outcome().kind(),
                    past.get(i).outcome().ran().toMillis()));
        }
        return new JobEntry(
                job,
                job.key().getGroup(),
                job.key().getName(),
                catalog.job(job.key())
                        .map(spec -> ConfView.of(spec, catalog, cursors, NEXT_TIMES, redaction))
                        .orElse(null),
                recent);
    }

    /** One job, if there is such. */
    public Optional<JobEntry> job(String group, String name) {
        return Optional.ofNullable(jobs.get(new JobKey(name, group))).map(this::entry);
    }

    /** Whether everything is paused. */
    public boolean allPaused() {
        return ledger.asked().paused().all();
    }

    /** The fires without an outcome, oldest claim first. */
    public List<FireView> running() {
        return running;
    }

    /** The requests that wait for a leader, in order. */
    public List<RequestView> requests() {
        return ledger.asked().waiting().stream().map(RequestView::of).toList();
    }

    /** What operators asked for, the newest first. */
    public List<ActionView> audit() {
        Set<String> waiting = new HashSet<>();
        ledger.asked().waiting().forEach(request -> waiting.add(request.seq()));
        List<ActionView> out = new ArrayList<>();
        for (AuditRecord record : ledger.asked().audit()) {
            JobKey job = record.job();
            List<HistoryEntry> history =
                    job == null ? List.of() : ledger.histories().getOrDefault(job, List.of());
            out.add(0, ActionView.of(record, waiting.contains(record.seq()), ActionView.ended(history, record)));
        }
        return out;
    }

    /** Whether there is a job, or (of the ledger) a trigger of that name; names as one text. */
    public boolean knows(@Nullable String job, @Nullable String trigger) {
        return (job == null || jobs.values().stream().anyMatch(one -> one.job().equals(job)))
                && (trigger == null
                        || jobs.values().stream()
                                .flatMap(one -> one.triggers().stream())
                                .anyMatch(one -> one.trigger().equals(trigger)));
    }

    /** Every outcome that is kept, the newest first. */
    public List<OutcomeView> outcomes() {
        List<OutcomeView> all = outcomes;
        if (all == null) {
            List<OutcomeView> found = new ArrayList<>();
            ledger.histories().forEach((job, entries) -> entries.forEach(e -> found.add(OutcomeView.of(job, e))));
            found.sort(Comparator.comparing(OutcomeView::at).reversed());
            all = List.copyOf(found);
            outcomes = all;
        }
        return all;
    }

    /** The last terms, the oldest first. */
    public List<PastTerm> terms() {
        return ledger.terms();
    }

    /** The versions of its parts, by their names. */
    public Map<String, String> versions() {
        return ledger.versions();
    }
}
