package io.latchkey.ledger;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/**
 * What an operator asked for, and what became of it: written with the request, kept after it. Values of job data are not
 * part of it.
 *
 * @param seq the request's name
 * @param kind what was asked
 * @param job which job; null for all, or where a trigger was meant
 * @param trigger which trigger; null where none was meant
 * @param dataKeys the keys of the job data that came with it
 * @param by who asked
 * @param at when, by the asker's clock
 * @param answer what became of it; null while that is open
 * @param call of RELOAD: the number of the call it made; else null
 */
public record AuditRecord(
        String seq,
        Request.Kind kind,
        @Nullable JobKey job,
        @Nullable TriggerKey trigger,
        List<String> dataKeys,
        String by,
        Instant at,
        @Nullable Answer answer,
        @Nullable Long call) {
    /** How many are kept; the oldest go first. */
    public static final int KEPT = 200;

    /** How it was answered. */
    public enum Verdict {
        /** Done as asked. */
        DONE,
        /** The run that was asked for has ended; its outcome says how. */
        RAN,
        /** Not done: the leader's configuration has no such job; of a reload: some instance refused. */
        REFUSED,
        /** Taken back by the one who asked. */
        WITHDRAWN
    }

    /**
     * The answer.
     *
     * @param verdict what became of it
     * @param outcome of RAN: how the run ended; else null
     * @param by the instance that answered, or whoever took it back
     * @param at when, by that one's clock
     * @param instances of a reload: what became of it on each; else empty
     */
    public record Answer(
            Verdict verdict,
            Outcome.@Nullable Kind outcome,
            String by,
            Instant at,
            @Nullable List<ReloadResult> instances) {
        public Answer {
            // Records of before there were such answers have none.
            instances = instances == null
                    ? List.of()
                    : instances.stream().map(ReloadResult::brief).toList();
        }

        Answer(Verdict verdict, Outcome.@Nullable Kind outcome, String by, Instant at) {
            this(verdict, outcome, by, at, List.of());
        }
    }

    public AuditRecord {
        dataKeys = List.copyOf(dataKeys);
    }

    /** A request just made. */
    public static AuditRecord of(Request request) {
        return new AuditRecord(
                request.seq(),
                request.kind(),
                request.job(),
                request.trigger(),
                request.data().keySet().stream().sorted().toList(),
                request.by(),
                request.at(),
                null,
                null);
    }

    AuditRecord answered(Answer what) {
        return new AuditRecord(seq, kind, job, trigger, dataKeys, by, at, what, call);
    }

    AuditRecord calling(long number) {
        return new AuditRecord(seq, kind, job, trigger, dataKeys, by, at, answer, number);
    }

    /** Whether it asks for the same as another: what a name that is used again must do. */
    public boolean asksForTheSameAs(Request request) {
        return kind == request.kind()
                && java.util.Objects.equals(job, request.job())
                && java.util.Objects.equals(trigger, request.trigger())
                && dataKeys.equals(request.data().keySet().stream().sorted().toList());
    }
}
