/**
 * The configuration of an instance: immutable records, and the loader that makes them from files, the environment and
 * the command line. A configuration is taken whole or not at all, and all that is wrong with it is said in one report.
 */
@NullMarked
package io.latchkey.conf;

import org.jspecify.annotations.NullMarked;
