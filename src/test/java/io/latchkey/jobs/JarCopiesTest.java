package io.latchkey.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarCopiesTest {
    private static final byte[] CONTENT = "content".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path dir;

    @Test
    void equalContentIsKeptOnce() throws Exception {
        JarCopies copies = new JarCopies(dir);

        Path first = copies.copy("a.jar", CONTENT);
        assertThat(copies.copy("a.jar", CONTENT)).isEqualTo(first).hasBinaryContent(CONTENT);
    }

    @Test
    void copiesOfADeadProcessAreRemovedAndThoseOfALiveOneAreNot() throws Exception {
        Path live = new JarCopies(dir).copy("a.jar", CONTENT);
        Path dead = Files.createDirectories(dir.resolve("latchkey-jars-dead"));
        Files.write(dead.resolve("lock"), new byte[0]);
        Files.write(dead.resolve("b.jar"), CONTENT);
        Path young = Files.createDirectories(dir.resolve("latchkey-jars-young"));

        new JarCopies(dir).copy("c.jar", CONTENT);

        assertThat(dead).doesNotExist();
        assertThat(live).exists();
        assertThat(young).exists();
    }

    @Test
    void closedTheyAreGone() throws Exception {
        try (JarCopies copies = new JarCopies(dir)) {
            assertThat(copies.copy("a.jar", CONTENT)).exists();
        }

        assertThat(dir).isEmptyDirectory();
    }

    @Test
    void leftoversAreSweptByOneThatHasNoJarsToo() throws Exception {
        Path dead = Files.createDirectories(dir.resolve("latchkey-jars-dead"));
        Files.write(dead.resolve("lock"), new byte[0]);

        new JarCopies(dir).sweep();

        assertThat(dead).doesNotExist();
    }

    @Test
    void parentThatCannotBeWrittenIsReplacedByTheTemporaryDirectory() throws Exception {
        Path file = Files.write(dir.resolve("file"), CONTENT);

        Path copy = new JarCopies(file).copy("a.jar", CONTENT);
        assertThat(copy).hasBinaryContent(CONTENT).startsWith(Path.of(System.getProperty("java.io.tmpdir")));
    }
}
