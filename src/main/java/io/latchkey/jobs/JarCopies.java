package io.latchkey.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process's private copies of author jars, in a directory under {@code java.io.tmpdir} that only its user may enter.
 * Equal content is kept once. The directory goes when the process ends in an orderly way; one left by a process that is no
 * more is removed by the next.
 */
final class JarCopies {
    private static final Logger LOG = LoggerFactory.getLogger(JarCopies.class);
    private static final String PREFIX = "latchkey-jars-";

    private static @Nullable Path directory;

    private JarCopies() {}

    /** A file with this content; {@code name} is a part of its name, for stack traces. */
    static synchronized Path copy(String name, byte[] content) throws IOException {
        Path copy = directory().resolve(new Digest().add(content).text() + "-" + name);
        if (!Files.exists(copy)) {
            Files.write(copy, content);
            copy.toFile().deleteOnExit();
        }
        return copy;
    }

    private static Path directory() throws IOException {
        if (directory == null || !Files.isDirectory(directory)) {
            removeLeftovers(Path.of(System.getProperty("java.io.tmpdir")));
            directory =
                    Files.createTempDirectory(PREFIX + ProcessHandle.current().pid() + "-");
            directory.toFile().deleteOnExit();
        }
        return directory;
    }

    static void removeLeftovers(Path parent) {
        try (Stream<Path> entries = Files.list(parent)) {
            entries.filter(JarCopies::isLeftover).forEach(JarCopies::remove);
        } catch (IOException e) {
            LOG.debug("{} cannot be searched for leftover copies of jars", parent, e);
        }
    }

    private static boolean isLeftover(Path path) {
        String[] parts = path.getFileName().toString().split("-", -1);
        if (!path.getFileName().toString().startsWith(PREFIX) || !parts[2].matches("\\d{1,18}")) {
            return false;
        }
        return ProcessHandle.of(Long.parseLong(parts[2])).isEmpty();
    }

    private static void remove(Path leftover) {
        try (Stream<Path> files = Files.walk(leftover)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.delete(file);
            }
        } catch (IOException e) {
            // Another user's, most likely.
            LOG.debug("{} cannot be removed; it holds copies of jars of a process that is no more", leftover, e);
        }
    }
}
