package io.latchkey.jobs;

import io.latchkey.conf.ConfException;
import io.latchkey.conf.JobsSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

/** Loads job files as a service would, at a fixed time. */
final class Loading {
    static final Instant NOW = Instant.parse("2026-11-29T12:34:00Z");
    static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
    static final Path CASES = Path.of("src/test/resources/cases/xml");

    private Loading() {}

    /** One of the cases by the beginning of its name. */
    static JobCatalog loadCase(String name) throws ConfException {
        return load(CASES, ZoneOffset.UTC, name + "-*.xml");
    }

    static String problemsOfCase(String name) {
        try {
            return "loaded: " + loadCase(name);
        } catch (ConfException e) {
            return String.valueOf(e.getMessage());
        }
    }

    static JobCatalog load(Path dir, ZoneId zone, String... files) throws ConfException {
        return JobsLoader.load(new JobsSettings(List.of(files), zone, List.of()), dir, CLOCK);
    }

    /** Loads {@code schedule} as the content of the one schedule block. */
    static JobCatalog loadText(Path dir, String schedule) throws ConfException {
        return loadFile(
                dir, "<job-scheduling-data>\n<schedule>\n" + schedule + "\n</schedule>\n</job-scheduling-data>");
    }

    static JobCatalog loadFile(Path dir, String content) throws ConfException {
        write(dir.resolve("jobs.xml"), content);
        return load(dir, ZoneOffset.UTC, "jobs.xml");
    }

    static String problems(Path dir, String schedule) {
        try {
            return "loaded: " + loadText(dir, schedule);
        } catch (ConfException e) {
            return String.valueOf(e.getMessage()).replace(dir.toString() + "/", "");
        }
    }

    static String fileProblems(Path dir, String content) {
        try {
            return "loaded: " + loadFile(dir, content);
        } catch (ConfException e) {
            return String.valueOf(e.getMessage()).replace(dir.toString() + "/", "");
        }
    }

    static void write(Path file, String content) {
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, content.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** A job of PrintJob, named. */
    static String job(String name) {
        return "<job><name>" + name + "</name><job-class>com.example.jobs.PrintJob</job-class></job>";
    }

    /** A cron trigger "t" of job "j", with more elements. */
    static String cron(String expression, String more) {
        return "<trigger><cron><name>t</name><job-name>j</job-name>" + more + "<cron-expression>" + expression
                + "</cron-expression></cron></trigger>";
    }

    /** A trigger "t" of job "j", of a kind, with more elements. */
    static String trigger(String kind, String more) {
        return "<trigger><" + kind + "><name>t</name><job-name>j</job-name>" + more + "</" + kind + "></trigger>";
    }
}
