package io.latchkey.view;

import io.latchkey.ledger.KeyText;
import io.latchkey.ledger.Request;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes requests of names as texts, for those who do not know Quartz's keys. */
public final class Asking {
    private Asking() {}

    /**
     * A request that is not submitted yet.
     *
     * @param job a job's name as one text, null for none
     * @param trigger a trigger's, null for none
     * @throws IllegalArgumentException if one is no name
     */
    public static Request request(
            Request.Kind kind,
            @Nullable String job,
            @Nullable String trigger,
            Map<String, String> data,
            String by,
            Instant at) {
        return new Request(
                "",
                kind,
                job == null ? null : KeyText.job(job),
                trigger == null ? null : KeyText.trigger(trigger),
                data,
                by,
                at);
    }
}
