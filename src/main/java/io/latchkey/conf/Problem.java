package io.latchkey.conf;

/**
 * One thing wrong with the configuration. Its text never holds the value of anything secret.
 *
 * @param code what kind of thing
 * @param place where it stands: {@code file:line} or {@code file:line:column}, {@code environment NAME}, or {@code -Dkey}
 * @param subject what it is about: a key, a job or a trigger; empty for the place as a whole
 * @param message what is wrong, without a full stop
 * @param remedy what to do, without a full stop; empty if the message says it
 */
public record Problem(Code code, String place, String subject, String message, String remedy) {
    /** One of no more special kind than {@link Code#INVALID}. */
    public Problem(String place, String subject, String message, String remedy) {
        this(Code.INVALID, place, subject, message, remedy);
    }

    /** The same, of another kind. */
    public Problem of(Code other) {
        return new Problem(other, place, subject, message, remedy);
    }

    /** The line shown to the user. */
    @Override
    public String toString() {
        return place
                + ": "
                + (subject.isEmpty() || place.equals("-D" + subject) ? "" : subject + ": ")
                + message
                + (remedy.isEmpty() ? "" : "; " + remedy);
    }
}
