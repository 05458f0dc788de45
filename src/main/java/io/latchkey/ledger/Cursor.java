package io.latchkey.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.quartz.JobKey;
import org.quartz.TriggerKey;

/**
 * The durable state of one trigger: how far it has fired. Written by the term alone, under its fence.
 *
 * @param trigger whose state this is
 * @param job the job it fires
 * @param fingerprint of the schedule the rest was computed for; another fingerprint means another schedule
 * @param anchor where its slots are counted from
 * @param place how far it has come
 * @param orphanedSince when the trigger was found gone from the configuration; null while it is there
 */
public record Cursor(
        TriggerKey trigger,
        JobKey job,
        String fingerprint,
        Anchor anchor,
        Place place,
        @Nullable Instant orphanedSince) {

    /**
     * Where slots are counted from.
     *
     * @param start the first instant the schedule may be due; for a simple trigger without a start time, when it was
     *     first seen
     * @param repeatCount of a simple trigger, -1 for ever; -1 for every other kind
     */
    public record Anchor(Instant start, int repeatCount) {}

    /**
     * How far a trigger has come.
     *
     * @param next the oldest slot not yet decided (claimed or skipped); null when the trigger is finished
     * @param previous the last slot that was claimed; null before the first
     * @param timesFired how many slots were claimed
     */
    public record Place(@Nullable Instant next, @Nullable Instant previous, int timesFired) {}

    /** A cursor for a trigger seen for the first time. */
    public static Cursor first(
            TriggerKey trigger, JobKey job, String fingerprint, Anchor anchor, @Nullable Instant next) {
        return new Cursor(trigger, job, fingerprint, anchor, new Place(next, null, 0), null);
    }

    /** The oldest slot not yet decided; null when the trigger is finished. */
    public @Nullable Instant next() {
        return place.next();
    }

    /** Whether no slot is left: a completed trigger stays completed. */
    public boolean finished() {
        return place.next() == null;
    }

    /** This cursor after {@code slot} was claimed and {@code next} is the slot after it. */
    public Cursor claimed(Instant slot, @Nullable Instant next) {
        return with(new Place(next, slot, place.timesFired() + 1));
    }

    /** This cursor with its next slot moved, no fire counted: after a skip. */
    public Cursor movedTo(@Nullable Instant next) {
        return with(new Place(next, place.previous(), place.timesFired()));
    }

    /** This cursor with its trigger missing from the configuration since then, or (null) there again. */
    public Cursor orphaned(@Nullable Instant since) {
        return new Cursor(trigger, job, fingerprint, anchor, place, since);
    }

    private Cursor with(Place moved) {
        return new Cursor(trigger, job, fingerprint, anchor, moved, orphanedSince);
    }
}
