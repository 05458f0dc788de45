/**
 * What every part of the service starts and stops with: the one place that makes threads, the stack that closes things
 * in reverse order, the handler of faults no one caught, and the exit codes. Knows nothing of the rest of the service.
 */
@NullMarked
package io.latchkey.lifecycle;

import org.jspecify.annotations.NullMarked;
