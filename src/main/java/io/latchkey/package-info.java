/** The service's entry point and wiring. Every other package is below this one. */
@NullMarked
package io.latchkey;

import org.jspecify.annotations.NullMarked;
