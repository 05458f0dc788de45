package io.latchkey.jobs;

import io.latchkey.conf.Code;
import io.latchkey.conf.ConfException;
import io.latchkey.conf.JobsSettings;
import io.latchkey.conf.Key;
import io.latchkey.conf.Problem;
import io.latchkey.conf.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Loads what a conf directory registers: all or nothing, and with everything that is wrong in one report. Reads files, but
 * reaches nothing else: it works offline, and does the same for {@code validate}, for a start and for a reload.
 */
public final class JobsLoader {
    /** Within the configuration directory; loaded if it is there, whatever {@code jobs.files} says. */
    public static final String CRONTAB = "crontab";

    private static final List<String> USUAL =
            List.of(Key.JOBS_FILES.defaultText().split(",", -1));

    private static final Path TEMPORARY = Path.of(System.getProperty("java.io.tmpdir"));

    private static final Jars NO_JARS =
            (classpath, home, report) -> AuthorJars.read(List.of(), home, new JarCopies(TEMPORARY), report);

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

    /**
     * The same, but for the classes of authors, which are not looked for: their jobs have a class of ours in their place.
     * For looking at schedules where the jars are not.
     */
    public static JobCatalog loadWithoutClasses(Settings settings, Clock clock) throws ConfException {
        Source source = new Source(settings.jobs(), settings.paths().confDir(), NO_JARS, false, digested(settings));
        return loaded(check(source, null, clock, false));
    }

    /**
     * Looks at everything as {@link #load} does, and gives advice beyond what a start would say.
     *
     * @param files those to look at; empty for all that the settings name
     * @param classes whether to look for the classes of authors
     */
    public static JobsCheck check(Settings settings, List<Path> files, boolean classes, Clock clock) {
        Jars jars = classes ? reading(new JarCopies(TEMPORARY)) : NO_JARS;
        Source source = new Source(settings.jobs(), settings.paths().confDir(), jars, classes, digested(settings));
        return check(source, files.isEmpty() ? null : files, clock, true);
    }

    /** Every file that registers jobs, in the order they are loaded. */
    static List<Path> files(JobsSettings settings, Path confDir, Report report) {
        Path crontab = confDir.resolve(CRONTAB).normalize();
        boolean there = Files.exists(crontab);
        // Who has a crontab alone need not be told that there is no jobs.xml.
        boolean alone = there && settings.files().equals(USUAL) && !Files.exists(confDir.resolve(USUAL.get(0)));
        List<String> names = alone ? USUAL.subList(1, USUAL.size()) : settings.files();
        Set<Path> files =
                new LinkedHashSet<>(FileGlobs.of("jobs.files", confDir, report).find(names, there));
        if (there) {
            files.add(crontab);
        }
        return List.copyOf(files);
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

    /**
     * Where jobs come from.
     *
     * @param classes whether classes that are not found are problems
     * @param digested more that counts into the digest
     */
    private record Source(JobsSettings settings, Path confDir, Jars authors, boolean classes, List<String> digested) {}

    private static JobCatalog load(
            JobsSettings settings, Path confDir, Jars authors, Clock clock, List<String> digested)
            throws ConfException {
        return loaded(check(new Source(settings, confDir, authors, true, digested), null, clock, false));
    }

    private static JobCatalog loaded(JobsCheck check) throws ConfException {
        if (check.catalog().isEmpty()) {
            throw new ConfException(check.problems());
        }
        return check.catalog().get();
    }

    private static JobsCheck check(Source source, @Nullable List<Path> chosen, Clock clock, boolean advise) {
        Report report = new Report();
        JobsSettings settings = source.settings();
        Path home = source.confDir().resolve("..").normalize();
        AuthorJars jars = source.authors().find(settings.classpath(), home, report);
        JobClasses classes = new JobClasses(jars, source.classes());
        Entries entries = new Entries(report);
        JobFileReader reader = new JobFileReader(entries, classes::resolve, settings.timeZone(), report);
        CrontabReader crontabs = new CrontabReader(entries, settings.timeZone(), report);
        for (Path file : chosen != null ? chosen : files(settings, source.confDir(), report)) {
            try {
                read(file, Files.readAllBytes(file), reader, crontabs, report);
            } catch (IOException e) {
                report.problem(new Problem(
                        Code.FILE, file.toString(), "", "cannot be read: " + e, "let the service's user read it"));
            }
        }
        crontabs.register();
        entries.checkReferences();
        entries.checkData();
        List<JobSpec> jobs = RunPolicies.read(settings.runs(), entries, report);
        boolean sound = report.problems().isEmpty();
        Remarks remarks = new Remarks(entries, report, clock.instant());
        if (sound) {
            remarks.say();
        } else if (advise) {
            remarks.triggers();
        }
        if (advise) {
            // How the runs of a job are bounded can only be asked where all of that is sound.
            new Advice(entries, report, clock.instant()).say(sound ? jobs : List.of());
        }
        if (!sound) {
            return new JobsCheck(Optional.empty(), report.problems(), report.warnings());
        }
        String digest = ConfDigest.of(jobs, entries.triggers(), jars.digests(), settings.timeZone(), source.digested());
        JobCatalog catalog = new JobCatalog(
                jobs, entries.triggers(), digest, report.warnings(), jars.classLoader(), settings.runs());
        return new JobsCheck(Optional.of(catalog), List.of(), report.warnings());
    }

    private static void read(Path file, byte[] content, JobFileReader xml, CrontabReader crontabs, Report report) {
        Optional<FileKind> kind = FileKind.of(file, content);
        if (kind.isEmpty()) {
            report.problem(
                    Code.FILE,
                    file.toString(),
                    "",
                    "is neither XML nor a crontab by its name",
                    "name it *.xml or *.crontab");
            return;
        }
        switch (kind.get()) {
            case XML ->
                new XmlFile(file.toString(), report::problem).read(content).ifPresent(xml::read);
            case CRONTAB -> crontabs.read(new CrontabFile(file.toString(), report).read(content));
        }
    }
}
