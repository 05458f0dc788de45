package io.latchkey.jobs;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.quartz.JobExecutionContext;

/**
 * What a run knows about itself: {@code FireContext.of(context)} within {@code execute}. A job that shall not depend on
 * this class reads the same from {@code context.get("latchkey.fireId")} and the other keys below, as plain Java types.
 *
 * <p>No scheduler can stop a job that is already running on a machine that was cut off. So every run has a fencing token:
 * a number that never falls from one leader to the next. Hand it to the system you write to and let that refuse a write
 * whose token is lower than one it has seen.
 */
public final class FireContext {
    /** String: the trigger's key and the slot in UTC. The same for every attempt at this slot, different for all others. */
    public static final String FIRE_ID = "latchkey.fireId";
    /** Long: rises with every change of leader, never falls. */
    public static final String FENCING_TOKEN = "latchkey.fencingToken";
    /** Integer: 1, or more when the fire is tried again: its run failed, or its instance died under it. */
    public static final String ATTEMPT = "latchkey.attempt";
    /** Long: the number of the leader's term. */
    public static final String TERM = "latchkey.term";
    /** String: the id of the instance that runs this. */
    public static final String INSTANCE = "latchkey.instance";
    /** {@link Instant}: the slot, where it differs from Quartz's scheduled fire time. */
    public static final String SCHEDULED_TIME = "latchkey.scheduledTime";
    /** Boolean: the slot was missed and is made good now. */
    public static final String CATCH_UP = "latchkey.catchUp";
    /** Long: how many missed slots this run stands for, its own included. */
    public static final String MISSED_COUNT = "latchkey.missedCount";
    /** {@link Instant}: the first of the missed slots this run stands for. */
    public static final String FIRST_MISSED = "latchkey.firstMissed";
    /** {@link BooleanSupplier}. */
    public static final String STILL_LEADING = "latchkey.stillLeading";
    /** {@code Supplier<Duration>}. */
    public static final String LEASE_REMAINING = "latchkey.leaseRemaining";
    /** {@link Instant}: when the run is interrupted, where its job has a timeout. */
    public static final String DEADLINE = "latchkey.deadline";
    /** {@code Supplier<Duration>}: how long until then, on a clock that nobody sets. */
    public static final String TIME_REMAINING = "latchkey.timeRemaining";
    /** String, put by the job: the end of what the run has to say, for its outcome. See {@link #output}. */
    public static final String OUTPUT = "latchkey.output";

    /** What {@link #timeRemaining} gives where there is no timeout; also fits into a {@code long} of nanoseconds. */
    public static final Duration NO_LIMIT = Duration.ofNanos(Long.MAX_VALUE);

    private final JobExecutionContext context;

    private FireContext(JobExecutionContext context) {
        this.context = context;
    }

    /**
     * The view of a run.
     *
     * @throws IllegalStateException if this run was not started by Latchkey: there is no fire id in its context
     */
    public static FireContext of(JobExecutionContext context) {
        if (context.get(FIRE_ID) == null) {
            throw new IllegalStateException(
                    "this run of " + context.getJobDetail().getKey()
                            + " was not started by Latchkey: its context has no " + FIRE_ID
                            + ". In a test, put the keys of FireContext into the context.");
        }
        return new FireContext(context);
    }

    public String fireId() {
        return required(FIRE_ID, String.class);
    }

    /** The slot this run is for, however late it runs. */
    public Instant scheduledTime() {
        Instant slot = optional(SCHEDULED_TIME, Instant.class);
        return slot != null ? slot : context.getScheduledFireTime().toInstant();
    }

    public long fencingToken() {
        return required(FENCING_TOKEN, Long.class);
    }

    public long term() {
        return required(TERM, Long.class);
    }

    public String instance() {
        return required(INSTANCE, String.class);
    }

    /** 1 at first; more if an attempt failed and the job has retries, or its instance died and it asks for recovery. */
    public int attempt() {
        return required(ATTEMPT, Integer.class);
    }

    /** Whether this is a repeated attempt, so that some of the work may be done: after a failure, or its instance's death. */
    public boolean isRecovering() {
        return context.isRecovering() || attempt() > 1;
    }

    /** Whether the slot was missed, and is made good now. */
    public boolean isCatchUp() {
        return Boolean.TRUE.equals(optional(CATCH_UP, Boolean.class));
    }

    /** How many missed slots this run stands for, its own included; 0 if none was missed. */
    public long missedCount() {
        Long count = optional(MISSED_COUNT, Long.class);
        return count != null ? count : isCatchUp() ? 1 : 0;
    }

    /** The first of the missed slots this run stands for; empty if none was missed. */
    public Optional<Instant> firstMissed() {
        Instant first = optional(FIRST_MISSED, Instant.class);
        return first != null ? Optional.of(first) : isCatchUp() ? Optional.of(scheduledTime()) : Optional.empty();
    }

    /**
     * Whether the instance still leads the term that started this run. False is no order to stop: after a planned handover
     * a run may finish. A long job may ask it at its own safe points.
     */
    public boolean stillLeading() {
        return required(STILL_LEADING, BooleanSupplier.class).getAsBoolean();
    }

    /**
     * How long this instance is surely still the one that runs this, counted from now; zero when that has run out. When it
     * does, the run is interrupted. Rises again with each heartbeat.
     */
    public Duration leaseRemaining() {
        return (Duration) required(LEASE_REMAINING, Supplier.class).get();
    }

    /** When this run is interrupted because it takes longer than its job's timeout; empty where that has none. */
    public Optional<Instant> deadline() {
        return Optional.ofNullable(optional(DEADLINE, Instant.class));
    }

    /** How long until the deadline; zero when it is past, {@link #NO_LIMIT} where there is none. */
    public Duration timeRemaining() {
        Supplier<?> remaining = optional(TIME_REMAINING, Supplier.class);
        return remaining == null ? NO_LIMIT : (Duration) remaining.get();
    }

    /**
     * Leaves the end of what this run has to say, for its outcome and the history, whether the run then succeeds or fails.
     * The last call counts. Cut to its last {@value OutputTail#MAX_BYTES} bytes; control characters are taken out.
     */
    public void output(String tail) {
        context.put(OUTPUT, OutputTail.of(tail));
    }

    private <T> T required(String key, Class<T> type) {
        T value = optional(key, type);
        if (value == null) {
            throw new IllegalStateException(
                    "the context of " + context.getJobDetail().getKey() + " has no " + key);
        }
        return value;
    }

    private <T> @Nullable T optional(String key, Class<T> type) {
        return type.cast(context.get(key));
    }
}
