package io.latchkey.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.KeeperException;

/** Waits for an operation that ZooKeeper's client offers only with a callback. */
final class AsyncResult {
    private static final long PATIENCE_SECONDS = 15;

    private AsyncResult() {}

    /**
     * Runs the operation and waits for its end.
     *
     * @throws KeeperException if it failed, or did not end within 15 seconds
     */
    static void await(Consumer<VoidCallback> operation) throws KeeperException, InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        AtomicInteger code = new AtomicInteger();
        operation.accept((rc, path, context) -> {
            code.set(rc);
            done.countDown();
        });
        if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new KeeperException.OperationTimeoutException();
        }
        if (code.get() != KeeperException.Code.OK.intValue()) {
            throw KeeperException.create(KeeperException.Code.get(code.get()));
        }
    }
}
