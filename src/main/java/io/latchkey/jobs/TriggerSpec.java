package io.latchkey.jobs;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/**
 * One trigger as its author registered it. Immutable.
 *
 * @param priority the larger goes first among those due at the same instant; Quartz's default is 5
 * @param data overrides the job's data, key by key. A value is null where the file has an empty one, as in Quartz
 */
public record TriggerSpec(
        TriggerKey key,
        JobKey job,
        Schedule schedule,
        int priority,
        Map<String, @Nullable String> data,
        @Nullable String description,
        Misfire misfire) {
    public TriggerSpec {
        data = Collections.unmodifiableMap(new LinkedHashMap<>(data));
    }

    /**
     * A short digest of the fields that make the schedule, and no others: if it changes the trigger starts anew, if it
     * does not the trigger keeps its place.
     */
    public String fingerprint() {
        return Digest.of(schedule.canonical());
    }

    /** The first slot of a trigger first seen at {@code firstSeen}. What would have been before that is no miss. */
    public Optional<Instant> firstFire(Instant firstSeen) {
        Instant justBefore = firstSeen.minusNanos(1);
        return schedule.next(justBefore, schedule.anchor(firstSeen));
    }
}
