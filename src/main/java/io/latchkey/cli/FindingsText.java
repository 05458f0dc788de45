package io.latchkey.cli;

import io.latchkey.cli.Findings.Finding;
import io.latchkey.cli.Findings.Severity;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** What {@code validate} found, for a person: by file and line, each with its remedy. */
final class FindingsText {
    private static final String INDENT = "    ";

    private FindingsText() {}

    static void print(Findings.View view, PrintWriter out) {
        boolean coloured = Tint.wanted();
        for (String file :
                view.findings().stream().map(Finding::file).distinct().toList()) {
            List<Finding> own = view.findings().stream()
                    .filter(finding -> finding.file().equals(file))
                    .toList();
            int width = own.stream()
                    .mapToInt(finding -> Printable.width(place(finding)))
                    .max()
                    .orElse(0);
            own.forEach(finding -> print(finding, width, coloured, out));
            out.println();
        }
        out.println(summary(view, coloured));
    }

    private static void print(Finding finding, int width, boolean coloured, PrintWriter out) {
        boolean error = finding.severity() == Severity.ERROR;
        String place = place(finding);
        out.println(tinted(place, Tint.BOLD, coloured) + " ".repeat(width - Printable.width(place)) + "  "
                + tinted(error ? "error  " : "warning", error ? Tint.RED : Tint.YELLOW, coloured) + "  "
                + (finding.subject() == null ? "" : Printable.text(finding.subject()) + "  ")
                + tinted("[" + finding.code() + "]", Tint.FAINT, coloured));
        out.println(INDENT + Printable.text(finding.message()));
        if (finding.remedy() != null) {
            out.println(INDENT + "-> " + Printable.text(finding.remedy()));
        }
    }

    /** As editors and terminals know to open it. */
    private static String place(Finding finding) {
        return Printable.text(relative(finding.file()))
                + (finding.line() == null ? "" : ":" + finding.line())
                + (finding.column() == null ? "" : ":" + finding.column());
    }

    private static String summary(Findings.View view, boolean coloured) {
        long errors = view.findings().stream()
                .filter(finding -> finding.severity() == Severity.ERROR)
                .count();
        long warnings = view.findings().size() - errors;
        if (errors > 0) {
            return tinted(counted(errors, "problem"), Tint.RED, coloured)
                    + (warnings == 0 ? "" : ", " + counted(warnings, "warning"))
                    + ": an instance would not start with this.";
        }
        return tinted("OK", Tint.GREEN, coloured)
                + (view.jobs() == null || view.triggers() == null
                        ? ""
                        : ": " + counted(view.jobs(), "job") + ", " + counted(view.triggers(), "trigger")
                                + ", conf digest " + view.digest())
                + (warnings == 0 ? "" : "; " + counted(warnings, "warning"));
    }

    private static String counted(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    private static String tinted(String text, Tint tint, boolean coloured) {
        return coloured ? tint.on(text) : text;
    }

    /** As short as one would type it here. */
    private static String relative(String file) {
        if (!file.startsWith("/")) {
            return file;
        }
        Path here = Path.of("").toAbsolutePath();
        Path path = Path.of(file);
        return path.startsWith(here) && !path.equals(here)
                ? here.relativize(path).toString()
                : file;
    }
}
