package io.latchkey.drill;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Packs the drill's jobs as a job author would: a jar of their own, which instances load by {@code jobs.classpath}. */
final class AuthorJar {
    private static final List<Class<?>> CLASSES = List.of(
            DrillJob.class,
            DrillSingleJob.class,
            DrillKillerJob.class,
            RunLogFile.class,
            RunLine.class,
            RunLine.Phase.class,
            RunLine.Fire.class);

    private AuthorJar() {}

    static void write(Path jar) throws DrillException {
        try {
            Files.createDirectories(jar.getParent());
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
                for (Class<?> type : CLASSES) {
                    String name = type.getName().replace('.', '/') + ".class";
                    try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
                        if (in == null) {
                            throw new DrillException("the distribution lacks " + name);
                        }
                        out.putNextEntry(new JarEntry(name));
                        in.transferTo(out);
                        out.closeEntry();
                    }
                }
            }
        } catch (IOException e) {
            throw new DrillException("cannot write " + jar + ": " + e, e);
        }
    }
}
