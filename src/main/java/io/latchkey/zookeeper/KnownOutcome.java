package io.latchkey.zookeeper;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends one transaction on one session until its outcome is known; see {@link Session#resolve}. */
final class KnownOutcome {
    private static final Logger log = LoggerFactory.getLogger(KnownOutcome.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    private final Session session;
    private final Transaction transaction;
    private final Function<Session, CompletableFuture<ReadBack>> readBack;
    private final CompletableFuture<TxResult> outcome = new CompletableFuture<>();

    KnownOutcome(Session session, Transaction transaction, Function<Session, CompletableFuture<ReadBack>> readBack) {
        if (transaction.hasSequential()) {
            throw new IllegalArgumentException(
                    "A sequential creation cannot be sent again: it would create another node");
        }
        transaction.requireWithinLimits();
        this.session = session;
        this.transaction = transaction;
        this.readBack = readBack;
    }

    CompletableFuture<TxResult> commit(Duration patience) {
        giveUpAfter(patience);
        follow(session.commit(transaction), first -> {
            if (first instanceof TxResult.Unknown) {
                log.debug("Outcome of {} is unknown on {}: sending it again", transaction, session);
                pauseThenTry(FIRST_PAUSE);
            } else {
                outcome.complete(first);
            }
        });
        return outcome;
    }

    CompletableFuture<TxResult> resolve(Duration patience) {
        giveUpAfter(patience);
        tryAgain(FIRST_PAUSE);
        return outcome;
    }

    private void giveUpAfter(Duration patience) {
        CompletableFuture<?> unused = outcome.completeOnTimeout(
                new TxResult.Unknown(TxResult.Cause.TIMEOUT), patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void tryAgain(Duration pause) {
        if (outcome.isDone()) {
            return;
        }
        follow(session.commit(transaction), result -> {
            if (result instanceof TxResult.Unknown) {
                pauseThenTry(pause);
            } else if (result instanceof TxResult.Refused refused) {
                askWhoseWorkItIs(refused, pause);
            } else {
                outcome.complete(result);
            }
        });
    }

    /** The refusal was answered on this session, so what is read on it now is no older than that. */
    private void askWhoseWorkItIs(TxResult.Refused refused, Duration pause) {
        follow(readBack.apply(session), answer -> {
            if (answer instanceof ReadBack.Ours ours) {
                outcome.complete(new TxResult.Committed(
                        transaction.steps().stream()
                                .map(step -> new OpOutcome(step.path(), step.versionAfter(), null))
                                .toList(),
                        ours.zxid()));
            } else if (answer instanceof ReadBack.NotOurs) {
                outcome.complete(refused);
            } else {
                pauseThenTry(pause);
            }
        });
    }

    private void pauseThenTry(Duration pause) {
        Duration doubled = pause.multipliedBy(2);
        Duration next = doubled.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : doubled;
        // The JDK's own timer thread makes the next request: it only enqueues, so no thread of ours is needed.
        follow(
                CompletableFuture.runAsync(
                        () -> tryAgain(next),
                        CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS, Runnable::run)),
                ignored -> {});
    }

    /** A surprise anywhere on the way is the outcome's, rather than lost with a stage nobody looks at. */
    private <T> void follow(CompletableFuture<T> stage, Consumer<T> then) {
        CompletableFuture<?> unused = stage.thenAccept(then).whenComplete((done, failure) -> {
            if (failure != null) {
                outcome.completeExceptionally(failure);
            }
        });
    }
}
