package io.latchkey.ledger;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/**
 * What an operator or a job asked of the leader. Durable once submitted; consumed by the write that answers it.
 *
 * @param seq its znode's name, which orders requests; empty before it is submitted
 * @param kind what is asked
 * @param job of TRIGGER: what to run; of PAUSE and RESUME: which job, null with {@code trigger} null for all
 * @param trigger of PAUSE and RESUME: which trigger
 * @param data of TRIGGER: extra job data; of RELOAD: {@link #ALLOW_EMPTY} if that is meant
 * @param by who asked, for the log
 * @param at when, by the asker's clock
 */
public record Request(
        String seq,
        Kind kind,
        @Nullable JobKey job,
        @Nullable TriggerKey trigger,
        Map<String, String> data,
        String by,
        Instant at) {
    /** The group of the triggers that requested fires are named by. */
    public static final String GROUP = "REQUESTED";

    /** A key of RELOAD's data: files that register no job are taken, too. */
    public static final String ALLOW_EMPTY = "allowEmpty";

    /** What can be asked. */
    public enum Kind {
        TRIGGER,
        PAUSE,
        RESUME,
        RESIGN,
        /** Asked of every instance, not of the leader: filed with {@link ReloadCalls}, and never among the requests. */
        RELOAD
    }

    public Request {
        data = Map.copyOf(data);
        if (kind == Kind.TRIGGER && job == null) {
            throw new IllegalArgumentException("a request to run a job names none");
        }
    }

    /** A request to run a job now. */
    public static Request trigger(JobKey job, Map<String, String> data, String by, Instant at) {
        return new Request("", Kind.TRIGGER, job, null, data, by, at);
    }

    /** A request that every instance reloads. */
    public static Request reload(boolean allowEmpty, String by, Instant at) {
        return new Request("", Kind.RELOAD, null, null, allowEmpty ? Map.of(ALLOW_EMPTY, "true") : Map.of(), by, at);
    }

    /** This request under the name it was given. */
    public Request named(String name) {
        return new Request(name, kind, job, trigger, data, by, at);
    }

    /** The fire this asks for; the same for every leader that sees it. */
    public FireId fireId() {
        if (seq.isEmpty() || job == null) {
            throw new IllegalStateException("not a submitted request to run a job: " + this);
        }
        return new FireId(new TriggerKey(KeyText.of(job) + "#" + seq, GROUP), at);
    }
}
