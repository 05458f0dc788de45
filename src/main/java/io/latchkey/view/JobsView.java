package io.latchkey.view;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.KeyText;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.LedgerReader;
import io.latchkey.ledger.OnHold;
import io.latchkey.ledger.Paused;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/**
 * All jobs as the ledger has them. Its fields are those of {@code jobs --json}.
 *
 * @param leader id of the instance that leads; absent (null) if nobody does
 * @param allPaused whether everything is paused
 * @param requests how many requests wait for the leader
 * @param jobs all of them, by name
 */
public record JobsView(@Nullable String leader, boolean allPaused, int requests, List<Job> jobs) {
    public JobsView {
        jobs = List.copyOf(jobs);
    }

    /**
     * Reads them. Blocks.
     *
     * @param leader who leads, null if nobody does
     * @param configured jobs of this host's configuration: one without triggers is in the ledger only once it has run
     */
    public static JobsView read(LedgerReader reader, @Nullable String leader, Collection<JobKey> configured)
            throws LedgerException {
        Paused paused = reader.paused();
        List<LedgerReader.JobStatus> known = new ArrayList<>(reader.jobs());
        Set<JobKey> missing = new TreeSet<>(configured);
        known.forEach(status -> missing.remove(status.job()));
        missing.forEach(job -> known.add(new LedgerReader.JobStatus(job, List.of(), List.of(), null)));
        known.sort(Comparator.comparing(LedgerReader.JobStatus::job));
        // After the records: an instance that came meanwhile must not look gone.
        Set<String> live = reader.liveIncarnations();
        List<Job> jobs =
                known.stream().map(status -> Job.of(status, paused, live)).toList();
        return new JobsView(leader, paused.all(), reader.requests().size(), jobs);
    }

    /**
     * One job.
     *
     * @param job its name, as commands take it
     * @param key the same in parts
     * @param paused whether it, or everything, is paused
     * @param triggers its triggers, the next to fire first
     * @param running its fires without an outcome
     * @param last its latest outcome; null before the first
     */
    public record Job(
            String job,
            @JsonIgnore JobKey key,
            boolean paused,
            List<Trigger> triggers,
            List<FireView> running,
            @Nullable OutcomeView last) {

        static Job of(LedgerReader.JobStatus status, Paused paused, Set<String> live) {
            boolean still = paused.all() || paused.jobs().contains(status.job());
            return new Job(
                    KeyText.of(status.job()),
                    status.job(),
                    still,
                    status.cursors().stream()
                            .map(cursor -> Trigger.of(cursor, paused))
                            .sorted(Comparator.comparing(
                                    Trigger::next, Comparator.nullsLast(Comparator.naturalOrder())))
                            .toList(),
                    status.running().stream()
                            .map(record -> FireView.of(record, live))
                            .toList(),
                    status.last() == null ? null : OutcomeView.of(status.job(), status.last()));
        }
    }

    /**
     * One trigger.
     *
     * @param trigger its name
     * @param key the same in parts
     * @param next its oldest slot not decided yet; null when it is finished
     * @param previous its last slot that was run; null before the first
     * @param timesFired how many slots were run
     * @param paused whether it, its job or everything is paused
     * @param orphanedSince since when the leader's configuration has it no more; null while it has
     * @param onHold what it has missed and waits with until it is resumed; null if it is not on hold
     */
    public record Trigger(
            String trigger,
            @JsonIgnore TriggerKey key,
            @Nullable Instant next,
            @Nullable Instant previous,
            int timesFired,
            boolean paused,
            @Nullable Instant orphanedSince,
            @Nullable Hold onHold) {

        static Trigger of(Cursor cursor, Paused paused) {
            return new Trigger(
                    KeyText.of(cursor.trigger()),
                    cursor.trigger(),
                    cursor.next(),
                    cursor.place().previous(),
                    cursor.place().timesFired(),
                    paused.covers(cursor.trigger(), cursor.job()),
                    cursor.orphanedSince(),
                    Hold.of(paused.held().get(cursor.trigger())));
        }

        /** Whether it came due before that instant, and neither ran nor is kept from it. */
        public boolean overdue(Instant threshold) {
            return next != null && !paused && onHold == null && orphanedSince == null && next.isBefore(threshold);
        }
    }

    /**
     * What a trigger on hold waits with ({@code scheduler.catch-up=hold}).
     *
     * @param since when a leader put it on hold
     * @param slots how many slots it has missed
     * @param first the oldest of them
     * @param last the latest of them
     * @param runs how many of them a resume runs
     * @param skips how many of them a resume records as SKIPPED
     * @param counted when a leader counted; more may have come due since
     */
    public record Hold(Instant since, long slots, Instant first, Instant last, long runs, long skips, Instant counted) {
        static @Nullable Hold of(@Nullable OnHold hold) {
            if (hold == null) {
                return null;
            }
            OnHold.Waiting waiting = hold.waiting();
            return new Hold(
                    hold.since(),
                    waiting.slots(),
                    waiting.first(),
                    waiting.last(),
                    waiting.runs(),
                    waiting.skips(),
                    hold.counted());
        }
    }
}
