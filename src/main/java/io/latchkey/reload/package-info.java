/**
 * Changing what runs without a restart: an instance's own conf directory is read again, refused whole or brought into force,
 * and held against what the others have.
 */
@NullMarked
package io.latchkey.reload;

import org.jspecify.annotations.NullMarked;
