package io.latchkey.jobs;

import io.latchkey.conf.ConfException;
import io.latchkey.conf.JobsSettings;
import io.latchkey.conf.Problem;
import io.latchkey.conf.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
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
        JarCopies copies = new JarCopies(settings.paths().dataDir());
        return load(settings.jobs(), settings.paths().confDir(), reading(copies), clock, digested(settings));
    }

    /**
     * Loads what the files say by now, for an instance that runs: with the classes it has.
     *
     * @param inForce what it runs; a catalog that {@link #load} or this made
     * @throws ConfException if anything is wrong, an author jar that is another by now included; what is in force stays so
     */
    public static JobCatalog reload(Settings settings, Clock clock, JobCatalog inForce) throws ConfException {
        if (!(inForce.classLoader() instanceof AuthorClassLoader loader)) {
            throw new IllegalArgumentException("a catalog that was not loaded cannot be loaded again");
        }
        Jars jars = (classpath, home, report) -> AuthorJars.inForce(loader, classpath, home, report);
        return load(settings.jobs(), settings.paths().confDir(), jars, clock, digested(settings));
    }

    /** The same, for jobs alone: no other setting counts into the digest. */
    public static JobCatalog load(JobsSettings settings, Path confDir, Clock clock) throws ConfException {
        return load(settings, confDir, reading(new JarCopies(TEMPORARY)), clock, List.of());
    }

    /** Every file that registers jobs, in the order they are loaded. */
    static List<Path> files(JobsSettings settings, Path confDir, Report report) {
        return FileGlobs.of("jobs.files", confDir, report).find(settings.files());
    }

    /** Where the classes come from. */
    @FunctionalInterface
    private interface Jars {
        AuthorJars find(List<String> classpath, Path home, Report report);
    }

    private static Jars reading(JarCopies copies) {
        return (classpath, home, report) -> AuthorJars.read(classpath, home, copies, report);
    }

    /** The settings that decide what becomes of a fire: two instances that differ in them would not do the same. */
    private static List<String> digested(Settings settings) {
        return List.of(
                "misfire-threshold=" + settings.scheduler().misfireThreshold(),
                "catch-up-limit=" + settings.scheduler().catchUpLimit(),
                "max-attempts=" + settings.scheduler().maxAttempts());
    }

    private static JobCatalog load(
            JobsSettings settings, Path confDir, Jars authors, Clock clock, List<String> digested)
            throws ConfException {
        Report report = new Report();
        Path home = confDir.resolve("..").normalize();
        AuthorJars jars = authors.find(settings.classpath(), home, report);
        JobClasses classes = new JobClasses(jars);
        Entries entries = new Entries(report);
        JobFileReader reader = new JobFileReader(entries, classes::resolve, settings.timeZone(), report);
        for (Path file : files(settings, confDir, report)) {
            try {
                new XmlFile(file.toString(), report::problem)
                        .read(Files.readAllBytes(file))
                        .ifPresent(reader::read);
            } catch (IOException e) {
                report.problem(
                        new Problem(file.toString(), "", "cannot be read: " + e, "let the service's user read it"));
            }
        }
        entries.checkReferences();
        entries.checkData();
        List<JobSpec> jobs = RunPolicies.read(settings.runs(), entries, report);
        if (!report.problems().isEmpty()) {
            throw new ConfException(report.problems());
        }
        new Remarks(entries, report, clock.instant()).say();
        String digest = ConfDigest.of(jobs, entries.triggers(), jars.digests(), settings.timeZone(), digested);
        return new JobCatalog(jobs, entries.triggers(), digest, report.warnings(), jars.classLoader(), settings.runs());
    }
}
