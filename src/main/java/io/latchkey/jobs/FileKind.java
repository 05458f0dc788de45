package io.latchkey.jobs;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a job file is: told by its name or, where that says nothing, by how it begins. */
enum FileKind {
    /** Quartz's job-scheduling-data. */
    XML,
    CRONTAB;

    private static final Pattern CRONTAB_NAME = Pattern.compile("crontab\\b.*|.*\\.(crontab|cron|tab)");
    private static final int BEGINNING = 1000;

    /** Empty if neither name nor content tells. */
    static Optional<FileKind> of(Path file, byte[] content) {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".xml")) {
            return Optional.of(XML);
        }
        if (CRONTAB_NAME.matcher(name).matches()) {
            return Optional.of(CRONTAB);
        }
        String beginning = new String(content, 0, Math.min(content.length, BEGINNING), StandardCharsets.UTF_8);
        if (beginning.replace("\uFEFF", "").strip().startsWith("<")) {
            return Optional.of(XML);
        }
        return name.indexOf('.') < 0 ? Optional.of(CRONTAB) : Optional.empty();
    }
}
