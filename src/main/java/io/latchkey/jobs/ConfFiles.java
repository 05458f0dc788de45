package io.latchkey.jobs;

import io.latchkey.conf.JobsSettings;
import io.latchkey.conf.SettingsLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whether any file of a conf directory has another content than before. What is read through a symbolic link is what
 * it points to at that moment, and a time stamp that changed alone changes nothing. Author jars, which are large and which a
 * running instance does not read again, count by their size, their times and which file they are.
 */
public final class ConfFiles {
    private static final Logger log = LoggerFactory.getLogger(ConfFiles.class);

    private ConfFiles() {}

    /** A text that is another whenever the files are. */
    public static String digest(JobsSettings settings, Path confDir) {
        Digest digest = new Digest();
        Report unused = new Report();
        Set<Path> files = new LinkedHashSet<>();
        files.add(confDir.resolve(SettingsLoader.FILE));
        files.add(confDir.resolve(SettingsLoader.QUARTZ_FILE));
        files.addAll(JobsLoader.files(settings, confDir, unused));
        for (Path file : files) {
            digest.add(file.toString()).add(content(file));
        }
        Path home = confDir.resolve("..").normalize();
        for (Path jar : FileGlobs.of("jobs.classpath", home, unused).find(settings.classpath())) {
            digest.add(jar.toString()).add(attributes(jar));
        }
        return digest.text();
    }

    private static byte[] content(Path file) {
        try {
            return Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
        } catch (IOException e) {
            log.debug("{} cannot be read now", file, e);
            return e.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
        }
    }

    private static String attributes(Path jar) {
        try {
            BasicFileAttributes found = Files.readAttributes(jar, BasicFileAttributes.class);
            return String.join(",", List.of(found.size() + "", found.lastModifiedTime() + "", found.fileKey() + ""));
        } catch (IOException e) {
            log.debug("{} cannot be looked at now", jar, e);
            return e.toString();
        }
    }
}
