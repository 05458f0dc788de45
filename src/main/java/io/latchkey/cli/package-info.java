/** The commands of {@code bin/latchkey}. Each is a class of its own; none knows how an instance is wired. */
@NullMarked
package io.latchkey.cli;

import org.jspecify.annotations.NullMarked;
