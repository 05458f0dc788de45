package io.latchkey.ledger;

import io.latchkey.zookeeper.ReadFailedException;
import io.latchkey.zookeeper.ReadResult;
import io.latchkey.zookeeper.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Blocking reads on one session; what is missing is empty, what failed is an exception. */
final class Reads {
    /** What a read may take on top where there are many: a hundred times what it does take. */
    private static final Duration EACH = Duration.ofMillis(10);

    private final Session session;
    private final Duration patience;

    Reads(Session session) {
        this.session = session;
        // The client gives a silent connection up after two thirds of the timeout: longer there is nothing to wait for.
        this.patience = session.timeout().multipliedBy(2);
    }

    Session session() {
        return session;
    }

    Optional<ReadResult.Found<byte[]>> get(String path) throws LedgerException {
        return found(await(session.get(path), path));
    }

    List<String> children(String path) throws LedgerException {
        return found(await(session.children(path), path))
                .map(ReadResult.Found::value)
                .orElse(List.of());
    }

    /** Those of the paths that are there, in order. */
    List<ReadResult.Found<byte[]>> getAll(List<String> paths) throws LedgerException {
        List<ReadResult.Found<byte[]>> out = new ArrayList<>(paths.size());
        for (ReadResult<byte[]> read : await(session.getAll(paths), paths.size())) {
            found(read).ifPresent(out::add);
        }
        return out;
    }

    /** Full paths of the grandchildren: what is two levels below {@code path}. */
    List<String> grandchildren(String path) throws LedgerException {
        List<String> parents =
                children(path).stream().map(name -> path + "/" + name).toList();
        List<String> out = new ArrayList<>();
        for (ReadResult<List<String>> read : await(session.childrenOfAll(parents), parents.size())) {
            found(read).ifPresent(f -> f.value().forEach(name -> out.add(f.path() + "/" + name)));
        }
        return out;
    }

    /** Full paths of the children, in order of their names. */
    List<String> childPaths(String path) throws LedgerException {
        return children(path).stream().sorted().map(name -> path + "/" + name).toList();
    }

    /** Many reads take their time; each of them ends with its connection at the latest. */
    private <T> T await(CompletableFuture<T> future, int count) throws LedgerException {
        return Await.answer(future, patience.plus(EACH.multipliedBy(count)), "read of " + count + " records");
    }

    <T> T await(CompletableFuture<T> future, String what) throws LedgerException {
        return Await.answer(future, patience, "read of " + what);
    }

    private static <T> Optional<ReadResult.Found<T>> found(ReadResult<T> read) throws LedgerException {
        try {
            return read.found();
        } catch (ReadFailedException e) {
            throw new LedgerException(String.valueOf(e.getMessage()), e);
        }
    }
}
