package io.latchkey.cli;

import io.latchkey.lifecycle.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;

/** The demo's files: a directory of its own with a copy of the configuration, deleted at the end. */
final class DemoFiles implements AutoCloseable {
    private final Path directory;

    private DemoFiles(Path directory) {
        this.directory = directory;
    }

    /** Copies the configuration into a new temporary directory. */
    static DemoFiles create(Path confDir) throws CliException {
        try {
            DemoFiles files = new DemoFiles(Files.createTempDirectory("latchkey-demo-"));
            copy(confDir, files.confDir());
            return files;
        } catch (IOException e) {
            throw new CliException(
                    ExitCode.NO,
                    "cannot make the demo's files in " + System.getProperty("java.io.tmpdir") + ": " + e,
                    e);
        }
    }

    Path directory() {
        return directory;
    }

    Path confDir() {
        return directory.resolve("conf");
    }

    Path zookeeperDir() {
        return directory.resolve("zookeeper");
    }

    /** Points the copied configuration at the demo's server. */
    void writeSettings(List<String> demoLines) throws CliException {
        Path file = confDir().resolve("latchkey.properties");
        List<String> keys = demoLines.stream().map(DemoFiles::keyOf).toList();
        try (Stream<String> lines = Files.exists(file) ? Files.lines(file, StandardCharsets.UTF_8) : Stream.empty()) {
            Stream<String> kept = lines.filter(line -> !keys.contains(keyOf(line)));
            Files.write(file, Stream.concat(kept, demoLines.stream()).toList(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CliException(ExitCode.NO, "cannot write " + file + ": " + e, e);
        }
    }

    private static String keyOf(String line) {
        int end = line.indexOf('=');
        return end < 0 ? "" : line.substring(0, end).strip();
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                Files.createDirectories(to.resolve(from.relativize(directory)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, to.resolve(from.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
    }

    @Override
    public void close() throws IOException {
        delete(directory);
    }

    /** Deletes a directory with all that is in it. */
    static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, java.io.IOException failure) throws IOException {
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
