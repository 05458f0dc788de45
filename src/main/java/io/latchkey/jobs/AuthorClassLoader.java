package io.latchkey.jobs;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Loads the classes of author jars. An author sees the Java platform, Quartz, this package and slf4j of the service, and
 * the jars: never the service's other libraries, so a job may bring its own version of any of them, and one that forgot
 * to bring it fails at once instead of after the service's next release.
 *
 * <p>Classes of the service's class path that do not come from a jar (a checkout's class directories) are visible too.
 */
final class AuthorClassLoader extends URLClassLoader {
    private static final List<String> SHARED = List.of("org.quartz.", "io.latchkey.jobs.", "org.slf4j.");
    private static final String OWN = "io.latchkey.";

    static {
        registerAsParallelCapable();
    }

    private final List<AuthorJars.Jar> jars;
    private final @Nullable ClassLoader service;
    private final JarCopies copies;

    AuthorClassLoader(List<AuthorJars.Jar> jars, @Nullable ClassLoader service, JarCopies copies) {
        super(
                "author-jars",
                jars.stream().map(jar -> url(jar.copy())).toArray(URL[]::new),
                ClassLoader.getPlatformClassLoader());
        this.jars = List.copyOf(jars);
        this.service = service;
        this.copies = copies;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        Class<?> shared = SHARED.stream().anyMatch(name::startsWith) ? fromService(name) : null;
        if (shared != null) {
            return shared;
        }
        try {
            return super.loadClass(name, resolve);
        } catch (ClassNotFoundException e) {
            Class<?> own = name.startsWith(OWN) ? null : fromService(name);
            if (own == null || isFromJar(own)) {
                throw e;
            }
            return own;
        }
    }

    /** With it go the copies of the jars. */
    @Override
    public void close() throws IOException {
        try {
            super.close();
        } finally {
            copies.close();
        }
    }

    private @Nullable Class<?> fromService(String name) {
        try {
            return Class.forName(name, false, service);
        } catch (ClassNotFoundException e) {
            // Not one of the service's: the jars may have it, and if not the caller says so.
            return null;
        }
    }

    /** What it loads from, in class path order. */
    List<AuthorJars.Jar> jars() {
        return jars;
    }

    private static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException("every path in the file system is a URL: " + file, e);
        }
    }

    private static boolean isFromJar(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        return source != null && !source.getLocation().getPath().endsWith("/");
    }
}
