package io.latchkey.jobs;

import io.latchkey.conf.Code;
import io.latchkey.conf.Problem;
import io.latchkey.conf.Suggestions;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/**
 * Finds the files that a setting names: plain names, and patterns whose last part has a wildcard ({@code jobs.d/*.xml}).
 * The files of a pattern are sorted by name; each file counts once.
 *
 * <p>A pattern that matches nothing is fine. A plain name that is not there is a problem, with one exception: if a pattern
 * did find files it is a warning, so that the default {@code jobs.xml,jobs.d/*.xml} serves those who keep all in jobs.d.
 */
final class FileGlobs {
    private static final String WILD = "*?[{";

    private final String setting;
    private final Path base;
    private final Report report;

    private FileGlobs(String setting, Path base, Report report) {
        this.setting = setting;
        this.base = base;
        this.report = report;
    }

    static FileGlobs of(String setting, Path base, Report report) {
        return new FileGlobs(setting, base, report);
    }

    List<Path> find(List<String> names) {
        return find(names, false);
    }

    /** @param others whether there are files that the setting need not name; then a missing one is a warning too */
    List<Path> find(List<String> names, boolean others) {
        Set<Path> found = new LinkedHashSet<>();
        List<Path> missing = new ArrayList<>();
        boolean enough = others;
        for (String name : names) {
            if (name.chars().anyMatch(c -> WILD.indexOf(c) >= 0)) {
                enough |= found.addAll(matching(name));
                continue;
            }
            Path file = base.resolve(name).normalize();
            if (Files.isDirectory(file)) {
                report.problem(new Problem(
                        Code.FILE, file.toString(), setting, "is a directory", "name the files in it: " + name + "/*"));
            } else if (Files.exists(file)) {
                found.add(file);
            } else {
                missing.add(file);
            }
        }
        for (Path file : missing) {
            Problem problem = new Problem(Code.FILE, file.toString(), setting, "there is no such file", near(file));
            if (enough) {
                report.warning(
                        Code.FILE,
                        problem.place(),
                        setting,
                        problem.message() + "; only the other files are loaded",
                        problem.remedy());
            } else {
                report.problem(problem);
            }
        }
        return List.copyOf(found);
    }

    private Set<Path> matching(String pattern) {
        int slash = pattern.lastIndexOf('/');
        String parent = slash < 0 ? "" : pattern.substring(0, slash + 1);
        Set<Path> files = new TreeSet<>();
        if (parent.chars().anyMatch(c -> WILD.indexOf(c) >= 0)) {
            report.problem(new Problem(
                    Code.FILE,
                    setting,
                    pattern,
                    "only the last part of a pattern may have wildcards",
                    "list the directories one by one"));
            return files;
        }
        Path directory = base.resolve(parent).normalize();
        if (!Files.isDirectory(directory)) {
            return files;
        }
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, pattern.substring(slash + 1))) {
            for (Path file : stream) {
                if (!Files.isDirectory(file)) {
                    files.add(file);
                }
            }
        } catch (PatternSyntaxException e) {
            report.problem(new Problem(
                    Code.FILE, setting, pattern, "no pattern: " + e.getDescription(), "write it like jobs.d/*.xml"));
        } catch (IOException e) {
            report.problem(new Problem(
                    Code.FILE,
                    directory.toString(),
                    setting,
                    "cannot be read: " + e,
                    "let the service's user read it"));
        }
        return files;
    }

    private String near(Path file) {
        Path parent = file.getParent();
        if (parent == null || !Files.isDirectory(parent)) {
            return "create it, or correct " + setting;
        }
        try (Stream<Path> siblings = Files.list(parent)) {
            List<String> names =
                    siblings.map(path -> path.getFileName().toString()).sorted().toList();
            return Suggestions.nearest(file.getFileName().toString(), names)
                    .map(near -> "did you mean " + near + "?")
                    .orElse("create it, or correct " + setting);
        } catch (IOException e) {
            return "its directory cannot be read (" + e + ")";
        }
    }
}
