package io.latchkey.ledger;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of a fire.
 *
 * @param kind how it ended
 * @param at when it was decided
 * @param ran how long it ran; zero where it did not or nobody knows
 * @param error what went wrong, at most {@value #MAX_ERROR_BYTES} bytes; null when nothing did
 * @param count how many fires this stands for: 1, or of SKIPPED how many were skipped
 * @param output the end of what the run had to say; null when it said nothing
 */
public record Outcome(
        Kind kind,
        Instant at,
        Duration ran,
        @Nullable String error,
        long count,
        @Nullable String output) {
    /** An error text is cut to this many bytes of UTF-8. */
    public static final int MAX_ERROR_BYTES = 1024;

    /** What is left of error and output where space is short, in characters. */
    private static final int BRIEF = 160;

    /** The ways a fire ends. */
    public enum Kind {
        /** The job returned. */
        SUCCEEDED,
        /** The job threw, or could not be made. */
        FAILED,
        /** The job was interrupted by the service: its lease ran out, or the drain's time was up. */
        INTERRUPTED,
        /** Its instance died and it is not run again. */
        ABANDONED,
        /** Its instance died and a later attempt took it over. */
        RECOVERED,
        /** Not run, by a misfire instruction or a limit. */
        SKIPPED
    }

    public Outcome {
        error = error == null ? null : cut(error);
    }

    /** An outcome of which there is no output. */
    public Outcome(Kind kind, Instant at, Duration ran, @Nullable String error, long count) {
        this(kind, at, ran, error, count, null);
    }

    /** A job that returned. */
    public static Outcome succeeded(Instant at, Duration ran) {
        return new Outcome(Kind.SUCCEEDED, at, ran, null, 1);
    }

    /** A job that ended badly, as {@code kind} says. */
    public static Outcome failed(Kind kind, Instant at, Duration ran, String error) {
        return new Outcome(kind, at, ran, error, 1);
    }

    /** The same with the end of what the run had to say. */
    public Outcome saying(@Nullable String tail) {
        return new Outcome(kind, at, ran, error, count, tail);
    }

    /** The same in little space: what a record or a full history keeps of attempts that matter less by now. */
    Outcome brief() {
        boolean fits = (error == null || error.length() <= BRIEF) && (output == null || output.length() <= BRIEF);
        return fits ? this : new Outcome(kind, at, ran, head(error), count, tail(output));
    }

    private static @Nullable String head(@Nullable String text) {
        return text == null || text.length() <= BRIEF ? text : text.substring(0, BRIEF - 1) + "…";
    }

    private static @Nullable String tail(@Nullable String text) {
        return text == null || text.length() <= BRIEF ? text : "…" + text.substring(text.length() - BRIEF + 1);
    }

    private static String cut(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= MAX_ERROR_BYTES) {
            return text;
        }
        int end = MAX_ERROR_BYTES - 3;
        // Not in the middle of a character.
        while (end > 0 && (bytes[end] & 0xc0) == 0x80) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8) + "…";
    }
}
