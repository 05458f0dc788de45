/**
 * Reading the data of the built-in jobs, and saying what is wrong with it: the same at {@code validate}, at a start and in a
 * run. Reaches nothing outside the data itself.
 */
@NullMarked
package io.latchkey.jobs.data;

import org.jspecify.annotations.NullMarked;
