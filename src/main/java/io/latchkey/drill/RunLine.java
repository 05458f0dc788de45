package io.latchkey.drill;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;

/**
 * One line of the run log: a job's start or its end, as the job itself wrote it.
 *
 * @param phase which of the two
 * @param at when it was written
 * @param instance who ran it
 * @param pid its process
 * @param job name of the job
 * @param fire which fire, and which attempt at it
 * @param term the term that started it
 * @param token the fencing token it was given
 * @param note of a start "catch-up" or "-", of an end how it ended: "ok", "failed" or "interrupted"
 */
record RunLine(
        Phase phase, Instant at, String instance, long pid, String job, Fire fire, long term, long token, String note) {
    private static final int FIELDS = 11;

    enum Phase {
        START,
        END
    }

    /**
     * One attempt at one slot.
     *
     * @param trigger name of the trigger
     * @param slot when it was due
     * @param attempt from 1
     */
    record Fire(String trigger, Instant slot, int attempt) implements Comparable<Fire> {
        @Override
        public int compareTo(Fire other) {
            int bySlot = slot.compareTo(other.slot);
            int byTrigger = bySlot != 0 ? bySlot : trigger.compareTo(other.trigger);
            return byTrigger != 0 ? byTrigger : Integer.compare(attempt, other.attempt);
        }

        /** This slot, whatever the attempt. */
        Fire first() {
            return new Fire(trigger, slot, 1);
        }

        @Override
        public String toString() {
            return trigger + "@" + slot + (attempt == 1 ? "" : " attempt " + attempt);
        }
    }

    boolean isStart() {
        return phase == Phase.START;
    }

    /** The line without its end; fields are parted by tabs. */
    String format() {
        return String.join(
                "\t",
                List.of(
                        phase.name(),
                        at.toString(),
                        instance,
                        Long.toString(pid),
                        job,
                        fire.trigger(),
                        fire.slot().toString(),
                        Integer.toString(fire.attempt()),
                        Long.toString(term),
                        Long.toString(token),
                        note));
    }

    /**
     * Reads what {@link #format} wrote.
     *
     * @throws IllegalArgumentException if it is no such line
     */
    static RunLine parse(String line) {
        List<String> f = List.of(line.split("\t", -1));
        if (f.size() != FIELDS) {
            throw new IllegalArgumentException("not a line of a run log: " + line);
        }
        try {
            return new RunLine(
                    Phase.valueOf(f.get(0)),
                    Instant.parse(f.get(1)),
                    f.get(2),
                    Long.parseLong(f.get(3)),
                    f.get(4),
                    new Fire(f.get(5), Instant.parse(f.get(6)), Integer.parseInt(f.get(7))),
                    Long.parseLong(f.get(8)),
                    Long.parseLong(f.get(9)),
                    f.get(10));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("not a line of a run log: " + line, e);
        }
    }
}
