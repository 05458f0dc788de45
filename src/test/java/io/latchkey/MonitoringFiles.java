package io.latchkey;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The files for Prometheus and Grafana that come with the distribution. */
final class MonitoringFiles {
    /** What is named like the metrics of an instance: in expressions and in what people are told. */
    private static final Pattern METRIC = Pattern.compile("\\b(latchkey|logback|jvm|process|system)_[a-z0-9_]+\\b");

    private MonitoringFiles() {}

    static Path of(String name) {
        return Path.of("src/main/dist").resolve(name).toAbsolutePath();
    }

    static Set<String> metricsOf(String name) throws IOException {
        return metricsIn(of(name));
    }

    static Set<String> metricsIn(Path file) throws IOException {
        return METRIC.matcher(Files.readString(file))
                .results()
                .map(found -> found.group())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
