package io.latchkey.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A distribution as {@code mvn package} would unpack it, made from the classes under test: {@code bin/latchkey}, lib/ and an
 * empty conf/. So launcher tests run before the package is built.
 */
final class Distribution {
    private final Path home;

    private Distribution(Path home) {
        this.home = home;
    }

    /** Makes one in the directory, which is created. */
    static Distribution in(Path home) throws IOException {
        Distribution distribution = new Distribution(home);
        Files.createDirectories(home.resolve("conf"));
        installLauncher(home);
        fillLib(home.resolve("lib"));
        return distribution;
    }

    /** The top of this project. */
    static Path project() {
        return Path.of("").toAbsolutePath();
    }

    static void installLauncher(Path home) throws IOException {
        Files.createDirectories(home.resolve("bin"));
        Path launcher = Files.copy(project().resolve("bin/latchkey"), home.resolve("bin/latchkey"));
        if (!launcher.toFile().setExecutable(true)) {
            throw new IOException("cannot make " + launcher + " executable");
        }
    }

    /** Links to the libraries on the test's class path, and a jar of the project's classes. */
    static void fillLib(Path lib) throws IOException {
        Files.createDirectories(lib);
        for (String entry : System.getProperty("java.class.path").split(System.getProperty("path.separator"), -1)) {
            Path path = Path.of(entry);
            if (entry.endsWith(".jar") && Files.exists(path)) {
                Files.createSymbolicLink(lib.resolve(path.getFileName()), path);
            }
        }
        Path classes = project().resolve("target/classes");
        try (OutputStream out = Files.newOutputStream(lib.resolve("latchkey.jar"));
                ZipOutputStream jar = new ZipOutputStream(out);
                Stream<Path> files = Files.walk(classes)) {
            jar.setLevel(0);
            files.filter(Files::isRegularFile).forEach(file -> add(jar, classes, file));
        }
    }

    private static void add(ZipOutputStream jar, Path classes, Path file) {
        try {
            jar.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
            Files.copy(file, jar);
            jar.closeEntry();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path home() {
        return home;
    }

    Path conf() {
        return home.resolve("conf");
    }

    Path launcher() {
        return home.resolve("bin/latchkey");
    }

    /** Writes a file under conf/. */
    Distribution with(String name, String text) throws IOException {
        Files.writeString(conf().resolve(name), text);
        return this;
    }

    Finished run(String... arguments) throws IOException, InterruptedException {
        return Finished.run(home, Map.of(), command(arguments));
    }

    Process start(String... arguments) throws IOException {
        return Finished.builder(home, Map.of(), command(arguments)).start();
    }

    private List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(launcher().toString()));
        command.addAll(List.of(arguments));
        return command;
    }
}
