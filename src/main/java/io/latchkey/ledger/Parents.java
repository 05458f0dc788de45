package io.latchkey.ledger;

import io.latchkey.zookeeper.Session;
import io.latchkey.zookeeper.Transaction;
import io.latchkey.zookeeper.TxResult;
import io.latchkey.zookeeper.ZNodes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The inner znodes that records live under. They hold nothing and belong to nobody, so making one needs no fence; which
 * are there is remembered, and {@link #forget} after a write that found one missing.
 */
final class Parents {
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    void forget() {
        known.clear();
    }

    /** Makes the parent of {@code path}, and its parents, where missing. Blocks. */
    void ensureOf(String path, Session session) throws LedgerException {
        ensure(ZNodes.parentOf(path), session);
    }

    /** {@link #ensure} for several at once: where all are there, as they usually are, that is one round trip. */
    void ensureAll(List<String> paths, Session session) throws LedgerException {
        List<String> unsure =
                paths.stream().filter(path -> !known.contains(path)).toList();
        List<CompletableFuture<TxResult>> sent =
                unsure.stream().map(path -> send(path, session)).toList();
        for (int i = 0; i < unsure.size(); i++) {
            if (made(unsure.get(i), sent.get(i), session)) {
                known.add(unsure.get(i));
            } else {
                ensure(unsure.get(i), session);
            }
        }
    }

    /** Makes {@code path} itself, empty, and its parents, where missing. Blocks. */
    void ensure(String path, Session session) throws LedgerException {
        if (path.equals("/") || known.contains(path)) {
            return;
        }
        Deque<String> missing = new ArrayDeque<>();
        missing.push(path);
        while (!missing.isEmpty()) {
            String next = missing.peek();
            if (!made(next, send(next, session), session)) {
                String parent = ZNodes.parentOf(next);
                if (parent.equals("/") || missing.contains(parent)) {
                    throw new LedgerException("cannot create " + next + ": ZooKeeper says its parent is missing");
                }
                missing.push(parent);
            } else {
                missing.pop();
                known.add(next);
            }
        }
    }

    private static CompletableFuture<TxResult> send(String path, Session session) {
        return session.commitUntilKnown(
                new Transaction().create(path, new byte[0]), s -> Part.exists(path, s), session.timeout());
    }

    /** False if its parent is missing. */
    private static boolean made(String path, CompletableFuture<TxResult> sent, Session session) throws LedgerException {
        TxResult result = Await.answer(sent, session.timeout().plusSeconds(5), "create " + path);
        if (result instanceof TxResult.Refused refused) {
            return switch (refused.reason()) {
                case NODE_EXISTS -> true;
                case NO_NODE -> false;
                default -> throw new LedgerException("cannot create " + path + ": " + refused.reason());
            };
        }
        if (!result.isCommitted()) {
            throw new LedgerException("cannot create " + path + ": " + result);
        }
        return true;
    }
}
