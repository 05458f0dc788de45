package io.latchkey.console;

import io.latchkey.console.Problem.ProblemException;
import java.util.concurrent.CompletableFuture;

/** Answers the requests of one route. Must not block: what takes time completes the future later. */
@FunctionalInterface
interface Endpoint {
    /**
     * The answer.
     *
     * @throws ProblemException if the request cannot be answered as it is; the future may fail with one as well
     */
    CompletableFuture<Answer> handle(Call call) throws ProblemException;
}
