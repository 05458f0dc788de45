package io.latchkey.election;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done with an answer of ZooKeeper's, on its event thread; a surprise there is said, not lost with its stage. */
final class Async {
    private static final Logger log = LoggerFactory.getLogger(Async.class);

    private Async() {}

    static <T> void then(CompletableFuture<T> answer, String what, Consumer<T> action) {
        CompletableFuture<Void> unused = answer.thenAccept(action).whenComplete((nothing, failure) -> {
            if (failure != null) {
                log.error("Handling an answer of ZooKeeper failed ({}); the next look makes up for it", what, failure);
            }
        });
    }

    /** Runs the action once the future is done, however it ended; who made it hears of a failure elsewhere. */
    static void always(CompletableFuture<?> future, Runnable action) {
        CompletableFuture<?> unused = future.whenComplete((nothing, failure) -> action.run());
    }
}
