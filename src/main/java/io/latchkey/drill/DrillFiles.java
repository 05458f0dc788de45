package io.latchkey.drill;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The drill's directory: temporary and deleted at the end, or the user's and kept. */
final class DrillFiles implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DrillFiles.class);

    private final Path directory;
    private final boolean keep;

    private DrillFiles(Path directory, boolean keep) {
        this.directory = directory;
        this.keep = keep;
    }

    static DrillFiles create(Optional<Path> kept) throws DrillException {
        try {
            if (kept.isEmpty()) {
                return new DrillFiles(Files.createTempDirectory("latchkey-drill-"), false);
            }
            Path directory = kept.get().toAbsolutePath().normalize();
            Files.createDirectories(directory);
            if (Files.exists(directory.resolve("run.log"))) {
                throw new DrillException(directory + " holds another drill; give an empty directory with --keep");
            }
            return new DrillFiles(directory, true);
        } catch (IOException e) {
            throw new DrillException("cannot make the drill's directory: " + e, e);
        }
    }

    Path path(String... names) {
        Path path = directory;
        for (String name : names) {
            path = path.resolve(name);
        }
        return path;
    }

    Path runLog() {
        return path("run.log");
    }

    Path killerMarker() {
        return path("killer");
    }

    void write(Path file, String text) throws DrillException {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new DrillException("cannot write " + file + ": " + e, e);
        }
    }

    void delete(Path file) throws DrillException {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new DrillException("cannot delete " + file + ": " + e, e);
        }
    }

    @Override
    public void close() throws IOException {
        if (keep || !Files.exists(directory)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
                log.debug("Gone while deleting: {}", file, failure);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(
                    Path visited, @org.jspecify.annotations.Nullable IOException failure) throws IOException {
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
