package io.latchkey.cli;

import com.fasterxml.jackson.annotation.JsonValue;
import io.latchkey.conf.Problem;
import io.latchkey.jobs.JobCatalog;
import io.latchkey.jobs.JobsCheck;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Gathers what {@code validate} has to say. */
final class Findings {
    private static final Pattern PLACE = Pattern.compile("(.*?):(\\d+)(?::(\\d+))?");

    private final List<Finding> all = new ArrayList<>();
    private Optional<JobCatalog> catalog = Optional.empty();

    /** Whether it keeps an instance from starting. */
    enum Severity {
        ERROR,
        WARNING;

        @JsonValue
        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One thing that is wrong or worth a word.
     *
     * @param severity {@code error}: an instance does not start with it; {@code warning}: it does
     * @param code what kind of thing; these names stay as they are
     * @param file where it stands; for a setting that is not in a file, where else ({@code environment NAME})
     * @param line from 1; absent (null) where there is none
     * @param column from 1; absent (null) where there is none
     * @param subject the key, job or trigger; absent for the place as a whole
     * @param message what is wrong
     * @param remedy what to do; absent if the message says it
     */
    record Finding(
            Severity severity,
            String code,
            String file,
            @Nullable Integer line,
            @Nullable Integer column,
            @Nullable String subject,
            String message,
            @Nullable String remedy) {
        static Finding of(Severity severity, Problem problem) {
            Matcher place = PLACE.matcher(problem.place());
            boolean numbered = place.matches();
            String column = numbered ? place.group(3) : null;
            return new Finding(
                    severity,
                    problem.code().text(),
                    numbered ? place.group(1) : problem.place(),
                    numbered ? Integer.valueOf(place.group(2)) : null,
                    column == null ? null : Integer.valueOf(column),
                    problem.subject().isEmpty() ? null : problem.subject(),
                    problem.message(),
                    problem.remedy().isEmpty() ? null : problem.remedy());
        }
    }

    /**
     * All of it. Its fields are those of {@code validate --json}.
     *
     * @param valid whether an instance would start
     * @param jobs how many; absent if they cannot be loaded, or none were looked at
     * @param triggers how many, as jobs
     * @param digest of the configuration, as jobs
     * @param findings in the order of files and lines
     */
    record View(
            boolean valid,
            @Nullable Integer jobs,
            @Nullable Integer triggers,
            @Nullable String digest,
            List<Finding> findings) {
        View {
            findings = List.copyOf(findings);
        }
    }

    void error(Problem problem) {
        all.add(Finding.of(Severity.ERROR, problem));
    }

    void warning(Problem problem) {
        all.add(Finding.of(Severity.WARNING, problem));
    }

    void add(JobsCheck check) {
        check.problems().forEach(this::error);
        check.warnings().forEach(this::warning);
        catalog = check.catalog();
    }

    View view() {
        List<String> files = all.stream().map(Finding::file).distinct().toList();
        List<Finding> sorted = all.stream()
                .sorted(Comparator.comparing((Finding finding) -> files.indexOf(finding.file()))
                        .thenComparing(finding -> finding.line() == null ? 0 : finding.line())
                        .thenComparing(finding -> finding.column() == null ? 0 : finding.column()))
                .toList();
        boolean valid = all.stream().noneMatch(finding -> finding.severity() == Severity.ERROR);
        Optional<JobCatalog> loaded = catalog.filter(any -> valid);
        return new View(
                valid,
                loaded.map(found -> found.jobs().size()).orElse(null),
                loaded.map(found -> found.triggers().size()).orElse(null),
                loaded.map(JobCatalog::digest).orElse(null),
                sorted);
    }
}
