package io.latchkey.scheduler;

import io.latchkey.conf.RunPolicy;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What bounds one claimed fire, as of its claim: later it may have to be decided without a leader, or under another
 * configuration.
 *
 * @param policy of its job and trigger
 * @param recover whether its job asks to be run again when its instance fails it
 * @param mostAttempts how often it is tried in all, whatever for
 * @param next when its trigger is due after it; null if it is not, or the fire came from no trigger
 */
record Bounds(
        RunPolicy policy,
        boolean recover,
        int mostAttempts,
        @Nullable Instant next) {}
