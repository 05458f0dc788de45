package io.latchkey.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.latchkey.conf.Problem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileGlobsTest {
    private static final List<String> DEFAULT = List.of("jobs.xml", "jobs.d/*.xml");

    @TempDir
    Path dir;

    private final Report report = new Report();

    @Test
    void plainNamesComeInTheirOrderAndPatternsSortedAndEachOnce() {
        touch("z.xml", "jobs.d/b.xml", "jobs.d/a.xml", "jobs.d/a.txt", "jobs.d/c.xml/inner.xml");

        assertThat(find("z.xml", "jobs.d/b.xml", "jobs.d/*.xml"))
                .containsExactly("z.xml", "jobs.d/b.xml", "jobs.d/a.xml");
        assertThat(report.problems()).isEmpty();
    }

    @Test
    void missingFileIsAProblemWithANearOne() {
        touch("job.xml");

        assertThat(find("jobs.xml", "jobs.d/*.xml")).isEmpty();
        assertThat(report.problems())
                .singleElement()
                .extracting(Problem::toString)
                .asString()
                .contains("jobs.xml: jobs.files: there is no such file", "did you mean job.xml?");
    }

    @Test
    void missingFileIsAWarningIfAPatternFoundOthers() {
        touch("jobs.d/a.xml");

        assertThat(find(DEFAULT.toArray(String[]::new))).containsExactly("jobs.d/a.xml");
        assertThat(report.problems()).isEmpty();
        assertThat(report.warnings())
                .singleElement()
                .asString()
                .contains("jobs.xml", "only the other files are loaded");
    }

    @Test
    void missingFileBesideAnotherNamedOneIsAProblem() {
        touch("a.xml");

        find("a.xml", "b.xml");
        assertThat(report.problems()).hasSize(1);
    }

    @Test
    void patternWithoutFilesIsFine() {
        touch("jobs.xml");

        assertThat(find("jobs.xml", "jobs.d/*.xml")).containsExactly("jobs.xml");
        assertThat(report.problems()).isEmpty();
        assertThat(report.warnings()).isEmpty();
    }

    @Test
    void directoryAndWildDirectoryAndBadPatternAreProblems() throws Exception {
        Files.createDirectories(dir.resolve("d"));

        find("d", "*/a.xml", "d/[.xml");
        assertThat(report.problems()).hasSize(3);
        assertThat(report.problems().toString()).contains("is a directory", "only the last part", "no pattern");
    }

    private List<String> find(String... names) {
        return FileGlobs.of("jobs.files", dir, report).find(List.of(names)).stream()
                .map(file -> dir.relativize(file).toString())
                .toList();
    }

    private void touch(String... names) {
        for (String name : names) {
            Loading.write(dir.resolve(name), "");
        }
    }
}
