package io.latchkey.ledger;

import io.latchkey.zookeeper.ReadFailedException;
import io.latchkey.zookeeper.ReadResult;
import io.latchkey.zookeeper.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.zookeeper.data.Stat;

/** Blocking reads on one session; what is missing is empty, what failed is an exception. Safe for use by many threads. */
public final class Reads {
    /** What a read may take on top where there are many: a hundred times what it does take. */
    private static final Duration EACH = Duration.ofMillis(10);
    /** For as many as there may be of them; each ends with its connection at the latest. */
    private static final Duration LONGEST = EACH.multipliedBy(20_000);

    private final Session session;
    private final Duration patience;

    public Reads(Session session) {
        this.session = session;
        // The client gives a silent connection up after two thirds of the timeout: longer there is nothing to wait for.
        this.patience = session.timeout().multipliedBy(2);
    }

    public Session session() {
        return session;
    }

    public Optional<ReadResult.Found<byte[]>> get(String path) throws LedgerException {
        return found(await(session.get(path), path));
    }

    public List<String> children(String path) throws LedgerException {
        return found(await(session.children(path), path))
                .map(ReadResult.Found::value)
                .orElse(List.of());
    }

    /** Those of the paths that are there, in order. */
    public List<ReadResult.Found<byte[]>> getAll(List<String> paths) throws LedgerException {
        return present(await(session.getAll(paths), paths.size()));
    }

    /** The stats of those of the paths that are there, in order; what they hold is not read. */
    List<ReadResult.Found<Stat>> stats(List<String> paths) throws LedgerException {
        return present(await(session.existsAll(paths), paths.size()));
    }

    /** A read under way: several can be, at the price of one. */
    interface Pending<T> {
        T get() throws LedgerException;
    }

    /** Starts to read the children of {@code path}, in order of their names. */
    Pending<List<ReadResult.Found<byte[]>>> startChildren(String path) {
        return pending(session.children(path).thenCompose(read -> below(List.of(read))), path);
    }

    /** Starts to read what is two levels below {@code path}. */
    Pending<List<ReadResult.Found<byte[]>>> startGrandchildren(String path) {
        return pending(
                session.children(path)
                        .thenCompose(read -> session.childrenOfAll(paths(List.of(read))))
                        .thenCompose(this::below),
                path);
    }

    /** Starts to read one. */
    Pending<List<ReadResult.Found<byte[]>>> start(String path) {
        return pending(session.getAll(List.of(path)), path);
    }

    private CompletableFuture<List<ReadResult<byte[]>>> below(List<ReadResult<List<String>>> parents) {
        return session.getAll(paths(parents));
    }

    private static List<String> paths(List<ReadResult<List<String>>> parents) {
        List<String> out = new ArrayList<>();
        for (ReadResult<List<String>> read : parents) {
            try {
                found(read)
                        .ifPresent(f -> f.value().stream()
                                .sorted()
                                .map(name -> f.path() + "/" + name)
                                .forEach(out::add));
            } catch (LedgerException e) {
                throw new CompletionException(e);
            }
        }
        return out;
    }

    private Pending<List<ReadResult.Found<byte[]>>> pending(
            CompletableFuture<List<ReadResult<byte[]>>> future, String path) {
        return () -> present(Await.answer(future, LONGEST, "read of " + path));
    }

    /** Full paths of the grandchildren: what is two levels below {@code path}. */
    public List<String> grandchildren(String path) throws LedgerException {
        List<String> parents =
                children(path).stream().map(name -> path + "/" + name).toList();
        List<String> out = new ArrayList<>();
        for (ReadResult<List<String>> read : await(session.childrenOfAll(parents), parents.size())) {
            found(read).ifPresent(f -> f.value().forEach(name -> out.add(f.path() + "/" + name)));
        }
        return out;
    }

    /** Full paths of the children, in order of their names. */
    public List<String> childPaths(String path) throws LedgerException {
        return children(path).stream().sorted().map(name -> path + "/" + name).toList();
    }

    /** Many reads take their time; each of them ends with its connection at the latest. */
    private <T> T await(CompletableFuture<T> future, int count) throws LedgerException {
        return Await.answer(future, patience.plus(EACH.multipliedBy(count)), "read of " + count + " records");
    }

    public <T> T await(CompletableFuture<T> future, String what) throws LedgerException {
        return Await.answer(future, patience, "read of " + what);
    }

    private static <T> List<ReadResult.Found<T>> present(List<ReadResult<T>> all) throws LedgerException {
        List<ReadResult.Found<T>> out = new ArrayList<>(all.size());
        for (ReadResult<T> read : all) {
            found(read).ifPresent(out::add);
        }
        return out;
    }

    private static <T> Optional<ReadResult.Found<T>> found(ReadResult<T> read) throws LedgerException {
        try {
            return read.found();
        } catch (ReadFailedException e) {
            throw new LedgerException(String.valueOf(e.getMessage()), e);
        }
    }
}
