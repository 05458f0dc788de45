package io.latchkey.jobs;

import io.latchkey.conf.ConfException;
import io.latchkey.conf.JobsSettings;
import io.latchkey.conf.Problem;
import io.latchkey.conf.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/**
 * Loads what a conf directory registers: all or nothing, and with everything that is wrong in one report. Reads files, but
 * reaches nothing else: it works offline, and does the same for {@code validate}, for a start and for a reload.
 */
public final class JobsLoader {
    private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

    private JobsLoader() {}

    /**
     * Loads the jobs of an instance.
     *
     * @throws ConfException if anything is wrong; nothing is then loaded
     */
    public static JobCatalog load(Settings settings, Clock clock) throws ConfException {
        return load(
                settings.jobs(),
                settings.paths().confDir(),
                new JarCopies(settings.paths().dataDir()),
                clock,
                List.of(
                        "misfire-threshold=" + settings.scheduler().misfireThreshold(),
                        "catch-up-limit=" + settings.scheduler().catchUpLimit(),
                        "max-attempts=" + settings.scheduler().maxAttempts()));
    }

    /** The same, for jobs alone: no other setting counts into the digest. */
    public static JobCatalog load(JobsSettings settings, Path confDir, Clock clock) throws ConfException {
        return load(settings, confDir, new JarCopies(TEMPORARY), clock, List.of());
    }

    private static JobCatalog load(
            JobsSettings settings, Path confDir, JarCopies copies, Clock clock, List<String> digested)
            throws ConfException {
        Report report = new Report();
        Path home = confDir.resolve("..").normalize();
        AuthorJars jars = AuthorJars.read(settings.classpath(), home, copies, report);
        JobClasses classes = new JobClasses(jars);
        Entries entries = new Entries(report);
        JobFileReader reader = new JobFileReader(entries, classes::resolve, settings.timeZone(), report);
        List<byte[]> contents = new ArrayList<>();
        List<Path> files = FileGlobs.of("jobs.files", confDir, report).find(settings.files());
        for (Path file : files) {
            try {
                byte[] content = Files.readAllBytes(file);
                contents.add(content);
                new XmlFile(file.toString(), report::problem).read(content).ifPresent(reader::read);
            } catch (IOException e) {
                report.problem(
                        new Problem(file.toString(), "", "cannot be read: " + e, "let the service's user read it"));
            }
        }
        entries.checkReferences();
        if (!report.problems().isEmpty()) {
            throw new ConfException(report.problems());
        }
        new Remarks(entries, report, clock.instant()).say();
        String digest = ConfDigest.of(contents, jars.contents(), settings.timeZone(), digested);
        return new JobCatalog(entries.jobs(), entries.triggers(), digest, report.warnings(), jars.classLoader());
    }
}
