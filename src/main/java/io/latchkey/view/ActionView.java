package io.latchkey.view;

import io.latchkey.ledger.AuditRecord;
import io.latchkey.ledger.FireId;
import io.latchkey.ledger.HistoryEntry;
import io.latchkey.ledger.KeyText;
import io.latchkey.ledger.LedgerException;
import io.latchkey.ledger.LedgerReader;
import io.latchkey.ledger.Outcome;
import io.latchkey.ledger.ReloadResult;
import io.latchkey.ledger.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.quartz.TriggerKey;

/**
 * What an operator asked for, and what became of it. Its fields are those of the API and of {@code audit --json}.
 *
 * @param id the request's name
 * @param kind what was asked
 * @param job which job; null for all, or where a trigger was meant
 * @param trigger which trigger; null where none was meant
 * @param dataKeys the keys of the job data that came with it
 * @param by who asked
 * @param at when, by the asker's clock
 * @param state how it stands
 * @param fire of a run that was asked for, its id; null of anything else
 * @param outcome of a run that was asked for, how it ended; null until then
 * @param answeredBy the instance that answered, or who took it back; null until then
 * @param answeredAt when, by that one's clock; null until then
 * @param instances of a reload: what became of it on each instance, as far as is known; else empty
 */
public record ActionView(
        String id,
        Request.Kind kind,
        @Nullable String job,
        @Nullable String trigger,
        List<String> dataKeys,
        String by,
        Instant at,
        State state,
        @Nullable String fire,
        Outcome.@Nullable Kind outcome,
        @Nullable String answeredBy,
        @Nullable Instant answeredAt,
        List<ReloadResult> instances) {
    /** How a request stands. */
    public enum State {
        /** The leader, or the next one, has not answered yet; of a reload: not every instance is known to have. */
        WAITING,
        /** The run that was asked for is claimed and has not ended. */
        RUNNING,
        /** Done as asked; a run has ended, as its outcome says. */
        DONE,
        /** Not done: the leader's configuration has no such job; of a reload: some instance refused. */
        REFUSED,
        /** Taken back by the one who asked. */
        WITHDRAWN
    }

    /**
     * A record as it stands.
     *
     * @param waits whether the request waits for its answer still
     * @param ended how the run that was asked for ended, if that is known
     */
    static ActionView of(AuditRecord record, boolean waits, Optional<HistoryEntry> ended) {
        AuditRecord.Answer answer = record.answer();
        State state = State.DONE;
        if (answer == null) {
            boolean run = record.kind() == Request.Kind.TRIGGER;
            boolean open = waits || record.kind() == Request.Kind.RELOAD;
            state = open ? State.WAITING : run && ended.isEmpty() ? State.RUNNING : State.DONE;
        } else if (answer.verdict() == AuditRecord.Verdict.REFUSED) {
            state = State.REFUSED;
        } else if (answer.verdict() == AuditRecord.Verdict.WITHDRAWN) {
            state = State.WITHDRAWN;
        }
        return new ActionView(
                record.seq(),
                record.kind(),
                record.job() == null ? null : KeyText.of(record.job()),
                record.trigger() == null ? null : KeyText.of(record.trigger()),
                record.dataKeys(),
                record.by(),
                record.at(),
                state,
                fire(record).map(FireId::toString).orElse(null),
                answer != null
                        ? answer.outcome()
                        : ended.map(e -> e.outcome().kind()).orElse(null),
                answer != null
                        ? answer.by()
                        : ended.map(e -> e.owner().instance()).orElse(null),
                answer != null ? answer.at() : ended.map(e -> e.outcome().at()).orElse(null),
                answer == null || answer.instances() == null ? List.of() : answer.instances());
    }

    /** A record that has its answer. */
    public static ActionView answered(AuditRecord record) {
        return of(record, false, Optional.empty());
    }

    /** A call to reload that has no answer on record, with what the instances say of it now. */
    public static ActionView reloading(AuditRecord record, List<ReloadResult> now) {
        ActionView open = of(record, false, Optional.empty());
        return new ActionView(
                open.id,
                open.kind,
                null,
                null,
                open.dataKeys,
                open.by,
                open.at,
                open.state,
                null,
                null,
                null,
                null,
                List.copyOf(now));
    }

    /** One that is not filed yet. */
    public static ActionView asked(Request request) {
        return of(AuditRecord.of(request), true, Optional.empty());
    }

    private static Optional<FireId> fire(AuditRecord record) {
        return record.kind() == Request.Kind.TRIGGER && record.job() != null
                ? Optional.of(new FireId(
                        new TriggerKey(KeyText.of(record.job()) + "#" + record.seq(), Request.GROUP), record.at()))
                : Optional.empty();
    }

    /** One request, if it is on record. Reads it as it is now; blocks. */
    public static Optional<ActionView> read(LedgerReader reader, String id) throws LedgerException {
        // Before its record: one that is answered between the two reads has its answer there.
        boolean waits = reader.waits(id);
        Optional<AuditRecord> record = reader.audit(id);
        if (record.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(of(record.get(), waits, waits ? Optional.empty() : ended(reader, record.get())));
    }

    /** All that are on record, the newest first. Reads them as they are now; blocks. */
    public static List<ActionView> readAll(LedgerReader reader) throws LedgerException {
        Set<String> waiting = new HashSet<>();
        reader.requests().forEach(request -> waiting.add(request.seq()));
        List<ActionView> out = new ArrayList<>();
        for (AuditRecord record : reader.audit()) {
            boolean waits = waiting.contains(record.seq());
            out.add(0, of(record, waits, waits ? Optional.empty() : ended(reader, record)));
        }
        return out;
    }

    private static Optional<HistoryEntry> ended(LedgerReader reader, AuditRecord record) throws LedgerException {
        Optional<FireId> fire = fire(record);
        return fire.isEmpty() || record.job() == null || record.answer() != null
                ? Optional.empty()
                : last(reader.history(record.job()), entry -> entry.id().equals(fire.get()));
    }

    static Optional<HistoryEntry> ended(List<HistoryEntry> history, AuditRecord record) {
        Optional<FireId> fire = fire(record);
        return fire.isEmpty()
                ? Optional.empty()
                : last(history, entry -> entry.id().equals(fire.get()));
    }

    private static Optional<HistoryEntry> last(List<HistoryEntry> history, Predicate<HistoryEntry> which) {
        return history.stream().filter(which).reduce((earlier, later) -> later);
    }
}
