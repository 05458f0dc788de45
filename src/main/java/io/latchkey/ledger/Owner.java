package io.latchkey.ledger;

/**
 * Who holds a claimed fire.
 *
 * @param instance the instance's id
 * @param incarnation its ZooKeeper session in hex: what decides whether the owner lives, the id alone does not
 * @param term the number of the term that claimed
 * @param token the fencing token handed to the run
 */
public record Owner(String instance, String incarnation, long term, long token) {}
