package io.latchkey.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.conf.JobsSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What counts as a change of a conf directory. */
class ConfFilesTest {
    private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));

    @TempDir
    private Path home;

    private Path conf;
    private Path jobs;

    @BeforeEach
    void files() throws Exception {
        conf = Files.createDirectories(home.resolve("conf"));
        jobs = Files.writeString(conf.resolve("jobs.xml"), "one");
    }

    private String digest() {
        return ConfFiles.digest(
                new JobsSettings(List.of("jobs.xml", "jobs.d/*.xml"), ZoneOffset.UTC, List.of("jobs/*.jar")), conf);
    }

    @Test
    void aTouchIsNone() throws Exception {
        String before = digest();
        Files.setLastModifiedTime(jobs, LONG_AGO);
        assertThat(digest()).isEqualTo(before);
        Files.writeString(jobs, "one");
        assertThat(digest()).isEqualTo(before);
    }

    @Test
    void anotherContentOfTheSameLengthAndTimeIsOne() throws Exception {
        Files.setLastModifiedTime(jobs, LONG_AGO);
        String before = digest();
        Files.writeString(jobs, "two");
        Files.setLastModifiedTime(jobs, LONG_AGO);
        assertThat(digest()).isNotEqualTo(before);
    }

    @Test
    void aSymbolicLinkThatPointsElsewhereIsOneOnlyIfThatIsOther() throws Exception {
        Path first = Files.createDirectories(home.resolve("v1"));
        Path same = Files.createDirectories(home.resolve("v2"));
        Path other = Files.createDirectories(home.resolve("v3"));
        Files.writeString(first.resolve("jobs.xml"), "one");
        Files.writeString(same.resolve("jobs.xml"), "one");
        Files.writeString(other.resolve("jobs.xml"), "two");
        Files.delete(jobs);
        Files.delete(conf);
        Files.createSymbolicLink(conf, first);
        String before = digest();
        swap(same);
        assertThat(digest()).isEqualTo(before);
        swap(other);
        assertThat(digest()).isNotEqualTo(before);
    }

    private void swap(Path to) throws Exception {
        Path link = Files.createSymbolicLink(home.resolve("next"), to);
        Files.move(
                link,
                conf,
                java.nio.file.StandardCopyOption.ATOMIC_MOVE,
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void aFileThatComesOrGoesIsOne() throws Exception {
        String before = digest();
        Path more = Files.writeString(
                Files.createDirectories(conf.resolve("jobs.d")).resolve("more.xml"), "");
        String with = digest();
        assertThat(with).isNotEqualTo(before);
        Files.delete(more);
        assertThat(digest()).isEqualTo(before);
        Files.writeString(conf.resolve("latchkey.properties"), "jobs.time-zone=Europe/Berlin");
        assertThat(digest()).isNotEqualTo(before);
        Path jars = Files.createDirectories(home.resolve("jobs"));
        String without = digest();
        Files.writeString(jars.resolve("a.jar"), "PK");
        assertThat(digest()).isNotEqualTo(without);
    }
}
