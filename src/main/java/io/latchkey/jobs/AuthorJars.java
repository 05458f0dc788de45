package io.latchkey.jobs;

import io.latchkey.conf.Code;
import io.latchkey.conf.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The authors' jars, as they were when they were read: classes come from private copies, so a jar that is replaced on disk
 * while an instance runs changes nothing there until the next start.
 */
final class AuthorJars {
    private static final String SETTING = "jobs.classpath";

    private final AuthorClassLoader loader;
    private final String described;

    private AuthorJars(AuthorClassLoader loader, List<String> classpath) {
        this.loader = loader;
        this.described = String.join(", ", classpath);
    }

    /** One jar as it was read: where, the digest of its bytes, our copy, and the names of its classes. */
    record Jar(Path file, String digest, Path copy, List<String> classNames) {}

    /** Reads the jars of {@code jobs.classpath}; what is wrong with one is a problem. Names are relative to {@code home}. */
    static AuthorJars read(List<String> classpath, Path home, JarCopies copies, Report report) {
        List<Jar> jars = new ArrayList<>();
        copies.sweep();
        for (Path file : FileGlobs.of(SETTING, home, report).find(classpath)) {
            try {
                byte[] content = Files.readAllBytes(file);
                Path copy = copies.copy(file.getFileName().toString(), content);
                jars.add(new Jar(file, digest(content), copy, classNames(copy)));
            } catch (IOException e) {
                report.problem(new Problem(
                        Code.FILE,
                        file.toString(),
                        "",
                        "cannot be read as a jar: " + e.getMessage(),
                        "was it copied whole? build or copy it anew"));
            }
        }
        return new AuthorJars(new AuthorClassLoader(jars, AuthorJars.class.getClassLoader(), copies), classpath);
    }

    /**
     * The jars that are in force: no class is loaded anew while an instance runs, for half of its jobs would be of one jar
     * and half of another. That they are others on disk by now is a problem.
     */
    static AuthorJars inForce(AuthorClassLoader loader, List<String> classpath, Path home, Report report) {
        Map<Path, String> before = new LinkedHashMap<>();
        loader.jars().forEach(jar -> before.put(jar.file(), jar.digest()));
        Map<Path, String> now = new LinkedHashMap<>();
        for (Path file : FileGlobs.of(SETTING, home, report).find(classpath)) {
            try {
                now.put(file, digest(Files.readAllBytes(file)));
            } catch (IOException e) {
                report.problem(new Problem(
                        Code.FILE, file.toString(), SETTING, "cannot be read: " + e, "let the service's user read it"));
                now.put(file, "");
            }
        }
        // Renamed, or copied anew, they hold the same classes.
        if (!List.copyOf(now.values()).equals(List.copyOf(before.values()))) {
            now.forEach((file, digest) -> {
                if (!digest.equals(before.get(file))) {
                    changed(file, before.containsKey(file) ? "is another than at start" : "is new since start", report);
                }
            });
            before.forEach((file, digest) -> {
                if (!now.containsKey(file)) {
                    changed(file, "was there at start and is gone", report);
                }
            });
        }
        return new AuthorJars(loader, classpath);
    }

    private static void changed(Path file, String how, Report report) {
        report.problem(new Problem(
                Code.FILE,
                file.toString(),
                SETTING,
                how + ", and classes are only loaded at start",
                "restart the instances one by one, or put back what was there"));
    }

    ClassLoader classLoader() {
        return loader;
    }

    /** The names of all classes in the jars. */
    List<String> classNames() {
        return loader.jars().stream().flatMap(jar -> jar.classNames().stream()).toList();
    }

    /** The digest of each jar's bytes, in the order of the class path. */
    List<String> digests() {
        return loader.jars().stream().map(Jar::digest).toList();
    }

    /** Where jars are looked for, in the words of the setting. */
    String described() {
        return described;
    }

    private static String digest(byte[] content) {
        return new Digest().add(content).text();
    }

    private static List<String> classNames(Path jar) throws IOException {
        try (ZipFile zip = new ZipFile(jar.toFile())) {
            return zip.stream()
                    .map(ZipEntry::getName)
                    .filter(name -> name.endsWith(".class") && !name.startsWith("META-INF/"))
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .toList();
        }
    }
}
