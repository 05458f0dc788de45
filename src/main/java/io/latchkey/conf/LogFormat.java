package io.latchkey.conf;

/** How lines of the log are written. */
public enum LogFormat {
    /** For people. */
    TEXT,
    /** An object a line, for programs. */
    JSON
}
