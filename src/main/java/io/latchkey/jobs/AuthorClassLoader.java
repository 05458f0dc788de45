package io.latchkey.jobs;

import java.net.URL;
import java.net.URLClassLoader;
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

    private final @Nullable ClassLoader service;

    AuthorClassLoader(URL[] jars, @Nullable ClassLoader service) {
        super("author-jars", jars, ClassLoader.getPlatformClassLoader());
        this.service = service;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (SHARED.stream().anyMatch(name::startsWith)) {
            return Class.forName(name, false, service);
        }
        try {
            return super.loadClass(name, resolve);
        } catch (ClassNotFoundException e) {
            Class<?> shared = name.startsWith(OWN) ? null : fromDirectory(name);
            if (shared == null) {
                throw e;
            }
            return shared;
        }
    }

    private @Nullable Class<?> fromDirectory(String name) {
        try {
            Class<?> type = Class.forName(name, false, service);
            CodeSource source = type.getProtectionDomain().getCodeSource();
            return source == null || source.getLocation().getPath().endsWith("/") ? type : null;
        } catch (ClassNotFoundException e) {
            // Nowhere at all: the caller says so.
            return null;
        }
    }
}
