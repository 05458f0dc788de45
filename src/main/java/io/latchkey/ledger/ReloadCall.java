package io.latchkey.ledger;

import java.time.Instant;

/**
 * A call to every instance to reload its conf directory. There is one znode for it: a later call takes the place of an
 * earlier one, and who answers it has answered both.
 *
 * @param number counts calls from 1
 * @param by who calls, for the log
 * @param at when, by the caller's clock
 * @param allowEmpty whether files that register no job are to be taken, too
 */
public record ReloadCall(long number, String by, Instant at, boolean allowEmpty) {}
