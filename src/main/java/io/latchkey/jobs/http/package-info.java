/**
 * Calling others over HTTP: with secrets that are referred to and never shown, within a time and a size, and with the fire's
 * id and token for the receiver to check ({@link io.latchkey.jobs.http.HttpCaller}). The JDK's client does the work.
 */
@NullMarked
package io.latchkey.jobs.http;

import org.jspecify.annotations.NullMarked;
