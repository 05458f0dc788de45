/**
 * Running programs of others: one at a time, in a process group of its own, of which nothing is left behind
 * ({@link io.latchkey.jobs.shell.CommandRun}). Linux with {@code /bin/sh} and {@code setsid} of util-linux.
 */
@NullMarked
package io.latchkey.jobs.shell;

import org.jspecify.annotations.NullMarked;
