package io.latchkey.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.tools.ToolProvider;
import org.quartz.Job;

/** A job author's jar, compiled against Quartz and nothing of this project. */
public final class AuthorJar {
    private AuthorJar() {}

    /**
     * Compiles one public class of no package into a jar.
     *
     * @param source of the class, whose name is that of the jar file
     */
    public static void write(Path jar, String source) throws IOException {
        Path work = Files.createTempDirectory("latchkey-author-");
        try {
            String type = jar.getFileName().toString().replace(".jar", "");
            Path file = Files.writeString(work.resolve(type + ".java"), source);
            int result = ToolProvider.getSystemJavaCompiler()
                    .run(null, null, null, "-d", work.toString(), "-proc:none", "-cp", quartz(), file.toString());
            assertThat(result).as("compiling %s", source).isZero();
            Files.createDirectories(jar.getParent());
            try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar))) {
                for (Path compiled : files(work)) {
                    if (compiled.toString().endsWith(".class")) {
                        zip.putNextEntry(new ZipEntry(compiled.getFileName().toString()));
                        Files.copy(compiled, zip);
                    }
                }
            }
        } finally {
            for (Path file : files(work)) {
                Files.delete(file);
            }
            Files.delete(work);
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    /** Quartz where it was loaded from: the class path may be one jar that only names others. */
    private static String quartz() {
        try {
            return Path.of(Job.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
