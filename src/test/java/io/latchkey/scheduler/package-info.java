@NullMarked
package io.latchkey.scheduler;

import org.jspecify.annotations.NullMarked;
