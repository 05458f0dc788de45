package io.latchkey.election;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The data of {@code instances/<id>}: an ephemeral node, there as long as the instance's session. Written when the role
 * changes and as heartbeat, so a plain standby's last heartbeat may be old: its being there is what counts.
 *
 * @param format of this record, {@link #FORMAT}
 * @param instance who this is
 * @param role as {@link Role#text()}
 * @param term number of the term it leads, 0 if it does not
 * @param token fencing token of that term, 0 if it does not lead
 * @param heartbeat when this was written, by its wall clock
 * @param incarnation its session, as recorded in the fires it claims
 * @param trouble why it does not lead though it might, for people; null if nothing is wrong
 */
public record InstanceRecord(
        int format,
        InstanceInfo instance,
        String role,
        long term,
        long token,
        Instant heartbeat,
        String incarnation,
        @Nullable String trouble) {
    /** The format this version writes, and the newest it reads. */
    public static final int FORMAT = 1;

    /** A record read from a node someone edited may lack anything: that is malformed, not null later on. */
    public InstanceRecord {
        Objects.requireNonNull(instance, "instance");
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(heartbeat, "heartbeat");
        Objects.requireNonNull(incarnation, "incarnation");
    }
}
