package io.latchkey.view;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.latchkey.ledger.Outcome;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One job with all that is known of it: what the ledger has, and what the configuration of the one who answers says. Its
 * fields are those of the API and of {@code job --json}.
 *
 * @param state what the ledger has; its fields are this object's own
 * @param group the job's group
 * @param name its name in the group
 * @param conf what the configuration says; null if it has no such job
 * @param recent its latest outcomes, the newest first
 */
public record JobEntry(
        @JsonUnwrapped JobsView.Job state,
        String group,
        String name,
        @Nullable ConfView conf,
        List<Recent> recent) {

    /**
     * How a run ended, in short.
     *
     * @param at when it was decided
     * @param kind how
     * @param ranMillis how long it ran
     */
    public record Recent(Instant at, Outcome.Kind kind, long ranMillis) {}
}
