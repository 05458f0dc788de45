package io.latchkey.view;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.latchkey.ledger.Cursor;
import io.latchkey.ledger.KeyText;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.LedgerReader;
import io.latchkey.ledger.Paused;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
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
     */
    public static JobsView read(LedgerReader reader, @Nullable String leader) throws LedgerException {
        Paused paused = reader.paused();
        List<LedgerReader.JobStatus> known = reader.jobs();
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
     */
    public record Trigger(
            String trigger,
            @JsonIgnore TriggerKey key,
            @Nullable Instant next,
            @Nullable Instant previous,
            int timesFired,
            boolean paused,
            @Nullable Instant orphanedSince) {

        static Trigger of(Cursor cursor, Paused paused) {
            return new Trigger(
                    KeyText.of(cursor.trigger()),
                    cursor.trigger(),
                    cursor.next(),
                    cursor.place().previous(),
                    cursor.place().timesFired(),
                    paused.covers(cursor.trigger(), cursor.job()),
                    cursor.orphanedSince());
        }

        /** Whether it came due before that instant, and neither ran nor is kept from it. */
        public boolean overdue(Instant threshold) {
            return next != null && !paused && orphanedSince == null && next.isBefore(threshold);
        }
    }
}
