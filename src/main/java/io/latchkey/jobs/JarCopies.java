package io.latchkey.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process's private copies of author jars, in a directory that only its user may enter. Equal content is kept once.
 * The directory goes when this is closed, or else when the virtual machine exits; one left by a process that was killed,
 * whose lock is free therefore, is removed by the next. Safe for any thread.
 */
final class JarCopies implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JarCopies.class);
    private static final String PREFIX = "latchkey-jars-";
    private static final String LOCK = "lock";

    private final Path parent;
    private @Nullable Path directory;
    private @Nullable FileChannel lock;

    /** @param parent where the directory is made, if it can be; in {@code java.io.tmpdir} otherwise */
    JarCopies(Path parent) {
        this.parent = parent;
    }

    /** A file with this content; {@code name} is a part of its name, for stack traces. */
    synchronized Path copy(String name, byte[] content) throws IOException {
        Path copy = directory().resolve(new Digest().add(content).text() + "-" + name);
        if (!Files.exists(copy)) {
            Files.write(copy, content);
            copy.toFile().deleteOnExit();
        }
        return copy;
    }

    private Path directory() throws IOException {
        if (directory == null || !Files.isDirectory(directory)) {
            Path made = make();
            made.toFile().deleteOnExit();
            Path file = made.resolve(LOCK);
            lock = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            lock.lock();
            file.toFile().deleteOnExit();
            directory = made;
        }
        return directory;
    }

    private Path make() throws IOException {
        try {
            Files.createDirectories(parent);
            removeLeftovers(parent);
            return Files.createTempDirectory(parent, PREFIX);
        } catch (IOException e) {
            Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
            LOG.debug("No copies of jars can be kept in {}, so they go to {}", parent, temporary, e);
            removeLeftovers(temporary);
            return Files.createTempDirectory(PREFIX);
        }
    }

    /** Removes what processes that were killed have left behind; needs no jar of our own. */
    void sweep() {
        if (Files.isDirectory(parent)) {
            removeLeftovers(parent);
        }
    }

    /** Removes the copies: nothing can be loaded from them after that. */
    @Override
    public synchronized void close() throws IOException {
        Path made = directory;
        FileChannel held = lock;
        directory = null;
        lock = null;
        if (held != null) {
            held.close();
        }
        if (made != null) {
            remove(made);
        }
    }

    private static void removeLeftovers(Path parent) {
        try (Stream<Path> entries = Files.list(parent)) {
            entries.filter(entry -> entry.getFileName().toString().startsWith(PREFIX))
                    .filter(JarCopies::isLeftover)
                    .forEach(JarCopies::remove);
        } catch (IOException | UncheckedIOException e) {
            LOG.debug("{} cannot be searched for leftover copies of jars", parent, e);
        }
    }

    /** A directory without a lock is only just being made. */
    private static boolean isLeftover(Path directory) {
        Path file = directory.resolve(LOCK);
        if (!Files.exists(file)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock free = channel.tryLock()) {
            return free != null;
        } catch (IOException | OverlappingFileLockException e) {
            LOG.debug("{} is left alone", directory, e);
            return false;
        }
    }

    private static void remove(Path leftover) {
        try (Stream<Path> files = Files.walk(leftover)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.debug("{} cannot be removed; it holds copies of jars that nobody uses any more", leftover, e);
        }
    }
}
