package io.latchkey.console;

import java.util.Map;

/**
 * What went wrong, for the one who asked (RFC 9457, {@code application/problem+json}).
 *
 * @param status of the answer
 * @param title the kind of problem, always the same for the same kind
 * @param detail what it is this time
 * @param remedy what to do about it
 * @param headers that the answer has besides
 */
record Problem(int status, String title, String detail, String remedy, Map<String, String> headers) {
    /** As thrown by an endpoint. */
    static final class ProblemException extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Problem problem;

        ProblemException(Problem problem) {
            super(problem.detail());
            this.problem = problem;
        }

        Problem problem() {
            return problem;
        }
    }

    /** What is written. */
    record Body(int status, String title, String detail, String remedy) {}

    Problem(int status, String title, String detail, String remedy) {
        this(status, title, detail, remedy, Map.of());
    }

    static Problem badRequest(String detail, String remedy) {
        return new Problem(400, "Bad request", detail, remedy);
    }

    static Problem notFound(String detail, String remedy) {
        return new Problem(404, "Not found", detail, remedy);
    }

    static Problem unavailable(String detail, String remedy) {
        return new Problem(503, "Not available now", detail, remedy, Map.of("Retry-After", "2"));
    }

    ProblemException asException() {
        return new ProblemException(this);
    }

    Answer answer() {
        return Answer.json(status, new Body(status, title, detail, remedy))
                .as("application/problem+json")
                .with(headers);
    }
}
