package io.latchkey.jobs.data;

/**
 * What is wrong with one entry of a job's data. Its text never holds a secret.
 *
 * @param key the entry, or the one that is missing
 * @param message what is wrong, without a full stop
 * @param remedy what to do, without a full stop
 */
public record DataProblem(String key, String message, String remedy) {
    /** As a sentence part: {@code job data command is missing; add it}. */
    @Override
    public String toString() {
        return "job data " + key + " " + message + "; " + remedy;
    }
}
