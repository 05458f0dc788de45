package io.latchkey.ledger;

import java.time.Instant;

/**
 * A term as it is remembered for people.
 *
 * @param number of the term
 * @param token its fencing token
 * @param instance who led
 * @param since when it was taken, by the leader's clock
 */
public record PastTerm(long number, long token, String instance, Instant since) {}
