package io.latchkey.jobs.cron;

import io.latchkey.conf.Code;

/**
 * What is valid in an expression, and often means something else than its author thinks.
 *
 * @param code its kind
 * @param message what it means, in one clause
 * @param remedy what to write, to have it say what is meant
 */
public record CronSlip(Code code, String message, String remedy) {}
