package io.latchkey.election;

import java.time.Duration;
import java.util.Optional;

/** Another live session holds this instance's id. Starting again will not mend it while the other lives. */
public final class DuplicateInstanceException extends Exception {
    private static final long serialVersionUID = 1L;

    /** @param first the holder's own record, or empty if it cannot be read */
    DuplicateInstanceException(String id, Optional<InstanceRecord> first, Duration waited) {
        super(text(id, first, waited));
    }

    private static String text(String id, Optional<InstanceRecord> first, Duration waited) {
        String holder = first.map(record -> "on host " + record.instance().host() + " (pid "
                        + record.instance().pid() + ", started "
                        + record.instance().started() + ")")
                .orElse("that cannot be identified");
        return "The instance id \"" + id + "\" is in use by a live instance " + holder + "; waited " + waited.toMillis()
                + " ms for it to go. Give this instance another instance.id, or stop the other one";
    }
}
