package io.latchkey.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notices the end of the process that started this one: its end of our standard input is closed, however it went. */
final class ParentWatch {
    private static final Logger log = LoggerFactory.getLogger(ParentWatch.class);

    private ParentWatch() {}

    /** Returns when the stream has ended; what comes on it is thrown away. */
    static void awaitEnd(InputStream in) {
        try {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            log.debug("Standard input failed; taken as its end", e);
        }
    }
}
