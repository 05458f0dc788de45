package io.latchkey.scheduler;

import io.latchkey.jobs.JobSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDataMap;
import org.quartz.JobDetail;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job's persisted data, between Quartz's map of anything and the ledger's map of scalars.
 */
final class JobData {
    private static final Logger log = LoggerFactory.getLogger(JobData.class);

    private JobData() {}

    /** What to keep of a run's data; null if the job does not persist it. */
    static @Nullable Map<String, @Nullable Object> toPersist(JobDetail detail) {
        if (!detail.isPersistJobDataAfterExecution()) {
            return null;
        }
        Map<String, @Nullable Object> kept = new LinkedHashMap<>();
        for (Map.Entry<String, Object> entry :
                detail.getJobDataMap().getWrappedMap().entrySet()) {
            Object value = entry.getValue();
            if (value == null || isScalar(value)) {
                kept.put(entry.getKey(), value);
            } else {
                log.warn(
                        "Job {} put a {} under \"{}\" into its data; only text, numbers and booleans are kept beyond"
                                + " this leader's term",
                        detail.getKey(),
                        value.getClass().getName(),
                        entry.getKey());
            }
        }
        return kept;
    }

    private static boolean isScalar(Object value) {
        return value instanceof String
                || value instanceof Boolean
                || value instanceof Character
                || value instanceof Integer
                || value instanceof Long
                || value instanceof Short
                || value instanceof Byte
                || value instanceof Float
                || value instanceof Double;
    }

    /**
     * The job as it starts in a term: what its file says, under what its runs have left. A key that a run removed comes
     * back if the file has it; a key new in the file is seen.
     */
    static JobDetail detail(JobSpec spec, @Nullable Map<String, @Nullable Object> persisted) {
        JobDetail detail = spec.toDetail();
        if (persisted != null && spec.persistData()) {
            JobDataMap data = detail.getJobDataMap();
            persisted.forEach(data::put);
            data.clearDirtyFlag();
        }
        return detail;
    }
}
