package io.latchkey.ledger;

import java.time.Instant;

/**
 * One claim of a fire.
 *
 * @param number 1 for the first
 * @param owner who claimed
 * @param nonce new for every claim: by it an unknown write is known again
 * @param claimed when, by the owner's clock
 */
public record Attempt(int number, Owner owner, String nonce, Instant claimed) {}
