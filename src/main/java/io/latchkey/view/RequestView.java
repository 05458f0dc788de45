package io.latchkey.view;

import io.latchkey.ledger.KeyText;
import io.latchkey.ledger.Request;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request that waits for the leader.
 *
 * @param id its name
 * @param kind what is asked
 * @param job which job; null for all, or where a trigger is meant
 * @param trigger which trigger; null where none is meant
 * @param dataKeys the keys of the job data that came with it; their values are nobody's to see
 * @param by who asked
 * @param at when, by the asker's clock
 */
public record RequestView(
        String id,
        Request.Kind kind,
        @Nullable String job,
        @Nullable String trigger,
        List<String> dataKeys,
        String by,
        Instant at) {
    /** A request as it waits. */
    public static RequestView of(Request request) {
        return new RequestView(
                request.seq(),
                request.kind(),
                request.job() == null ? null : KeyText.of(request.job()),
                request.trigger() == null ? null : KeyText.of(request.trigger()),
                request.data().keySet().stream().sorted().toList(),
                request.by(),
                request.at());
    }
}
