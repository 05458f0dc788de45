package io.latchkey.jobs.http;

/** A call that got no answer. The message is for the user and holds no secret; so does every cause. */
public final class HttpCallException extends Exception {
    private static final long serialVersionUID = 1L;

    HttpCallException(String message) {
        super(message);
    }
}
