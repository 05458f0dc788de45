package io.latchkey.jobs;

import io.latchkey.conf.Problem;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The authors' jars, as they were when they were read: classes come from private copies, so a jar that is replaced on disk
 * while an instance runs changes nothing there until the next start.
 */
final class AuthorJars {
    private final AuthorClassLoader loader;
    private final List<String> classNames;
    private final List<byte[]> contents;
    private final String described;

    private AuthorJars(AuthorClassLoader loader, List<String> classNames, List<byte[]> contents, String described) {
        this.loader = loader;
        this.classNames = List.copyOf(classNames);
        this.contents = List.copyOf(contents);
        this.described = described;
    }

    /** Reads the jars of {@code jobs.classpath}; what is wrong with one is a problem. Names are relative to {@code home}. */
    static AuthorJars read(List<String> classpath, Path home, JarCopies copies, Report report) {
        List<URL> urls = new ArrayList<>();
        List<String> classNames = new ArrayList<>();
        List<byte[]> contents = new ArrayList<>();
        copies.sweep();
        for (Path jar : FileGlobs.of("jobs.classpath", home, report).find(classpath)) {
            try {
                byte[] content = Files.readAllBytes(jar);
                Path copy = copies.copy(jar.getFileName().toString(), content);
                classNames.addAll(classNames(copy));
                urls.add(url(copy));
                contents.add(content);
            } catch (IOException e) {
                report.problem(new Problem(
                        jar.toString(),
                        "",
                        "cannot be read as a jar: " + e.getMessage(),
                        "was it copied whole? build or copy it anew"));
            }
        }
        AuthorClassLoader loader =
                new AuthorClassLoader(urls.toArray(URL[]::new), AuthorJars.class.getClassLoader(), copies);
        return new AuthorJars(loader, classNames, contents, String.join(", ", classpath));
    }

    ClassLoader classLoader() {
        return loader;
    }

    /** The names of all classes in the jars. */
    List<String> classNames() {
        return classNames;
    }

    /** The bytes of each jar, in the order of the class path. */
    List<byte[]> contents() {
        return contents;
    }

    /** Where jars are looked for, in the words of the setting. */
    String described() {
        return described;
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

    private static URL url(Path file) throws MalformedURLException {
        return file.toUri().toURL();
    }
}
